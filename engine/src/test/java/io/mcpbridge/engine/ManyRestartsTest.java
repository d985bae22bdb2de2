package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A hundred servers that are lost in one moment do not come back in one. */
class ManyRestartsTest {
    private static final int SERVERS = 100;
    private static final Duration SLICE = Duration.ofMillis(10);

    private final List<OneServer> benches = new ArrayList<>();

    @AfterEach
    void close() {
        benches.forEach(OneServer::close);
    }

    @Test
    void reconnectsAreSpreadOverHalfASecond() {
        for (int i = 0; i < SERVERS; i++) {
            // Far apart: the first numbers of neighbouring seeds are nearly equal.
            benches.add(OneServer.withChance(i * 0x9E3779B97F4A7C15L));
        }
        benches.forEach(bench -> {
            bench.send();
            bench.connection().answer(bench.connection().last(), "{}");
            bench.connection().end(Closed.disconnected("the power went"));
        });

        var most = 0L;
        for (int slice = 0; slice < 150; slice++) {
            var before = back();
            benches.forEach(bench -> bench.time.advance(SLICE));
            most = Math.max(most, back() - before);
        }

        assertThat(back()).isEqualTo(SERVERS);
        assertThat(most).isLessThan(SERVERS / 8);
    }

    private long back() {
        return benches.stream()
                .filter(bench -> bench.upstream().status().sessions() > 0)
                .count();
    }
}

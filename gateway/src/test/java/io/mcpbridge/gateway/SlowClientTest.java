package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.testkit.Eventually;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that does not read harms nobody but itself. */
@Timeout(60)
class SlowClientTest {
    /** Of 1 MiB each; 16 MiB and 64 KiB may wait for one client. */
    private static final int ANSWERS = 24;

    private final DaemonFixture fixture;

    SlowClientTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void clientThatDoesNotReadLosesItsConnectionAndTheOthersGoOn() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "big", "echo"));
        var daemon = fixture.start();
        var reading = fixture.client("reading");
        var deaf = fixture.closeLater(LineClient.connect(fixture.unixAddress()));
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"clientInfo\":{}}}\n");
        // In one piece, since the daemon may end the connection before the last of them.
        deaf.send(IntStream.range(0, ANSWERS).mapToObj(SlowClientTest::bigCall).collect(Collectors.joining()));
        var slowest = Duration.ZERO;

        for (int i = 0; i < 100; i++) {
            var begun = System.nanoTime();
            assertThat(reading.call("tool__echo", "{}").isError()).isFalse();
            var took = Duration.ofNanos(System.nanoTime() - begun);
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }

        Eventually.holds("the deaf client to be gone", () -> daemon.clients().size() == 1);
        assertThat(slowest).isLessThan(Duration.ofSeconds(5));
        assertThat(reading.call("tool__echo", "{}").isError()).isFalse();
    }

    @Test
    void answersForADeafClientWaitWithoutHoldingUpTheSharedServer() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "big", "echo"));
        var daemon = fixture.start();
        var deaf = fixture.closeLater(LineClient.connect(fixture.unixAddress()));
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"clientInfo\":{}}}\n");
        for (int i = 0; i < 8; i++) {
            deaf.callLater("tool__big", "{}");
        }
        var reading = fixture.client("reading");

        assertThat(reading.call("tool__echo", "{}").isError()).isFalse();

        Eventually.holds("all calls to be answered", () -> daemon.health().callsInFlight() == 0);
        deaf.listen();
        for (int i = 0; i < 8; i++) {
            assertThat(deaf.answer(MessageId.of(i)).isError()).isFalse();
        }
    }

    private static String bigCall(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"tool__big\"}}\n"
                .formatted(id);
    }
}

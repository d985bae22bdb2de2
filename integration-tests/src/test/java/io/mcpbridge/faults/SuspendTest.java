package io.mcpbridge.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.CallOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row L2 of the fault matrix: a daemon that is stopped for longer than its calls may take. */
@Timeout(90)
class SuspendTest {
    private static final int CALLS = 3;

    private final Path folder;

    SuspendTest() throws IOException {
        folder = Files.createTempDirectory("suspend");
    }

    @AfterEach
    void delete() {
        FaultBench.delete(folder);
    }

    @Test
    void callsAnsweredDuringASuspendDoNotTimeOut() throws Exception {
        var section = FaultBench.with("\"timeout\": \"8s\"", FaultBench.childSection(folder));
        try (var daemon = OwnProcess.start(folder, Map.of(), section);
                var client = daemon.connect()) {
            assertThat(client.callTool("faulty__echo", Map.of("text", "warm")).text())
                    .isEqualTo("warm");
            var options = CallOptions.DEFAULTS.withTimeout(Duration.ofSeconds(40));
            var calls = IntStream.range(0, CALLS)
                    .mapToObj(i -> client.callToolAsync("faulty__slow", Map.of("millis", 500), options))
                    .toList();

            daemon.signal("STOP");
            // The span itself is tested: a stopped process answers nothing.
            var over = new CompletableFuture<Void>().completeOnTimeout(null, 11, TimeUnit.SECONDS);
            over.get(30, TimeUnit.SECONDS);
            daemon.signal("CONT");

            for (var call : calls) {
                assertThat(call.get(20, TimeUnit.SECONDS).isError()).isFalse();
            }
        }
    }
}

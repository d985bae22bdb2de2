package io.mcpbridge.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.mcpbridge.CallOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row L1 of the fault matrix: a daemon whose wall clock is moved. */
@Timeout(90)
class ClockFaultsTest {
    private static final List<Path> FAKETIME = Stream.of("x86_64-linux-gnu", "aarch64-linux-gnu")
            .map(machine -> Path.of("/usr/lib", machine, "faketime", "libfaketimeMT.so.1"))
            .toList();

    private final Path folder;

    ClockFaultsTest() throws IOException {
        folder = Files.createTempDirectory("clock");
    }

    @AfterEach
    void delete() {
        FaultBench.delete(folder);
    }

    @Test
    void wallClockMayJumpByYearsDuringCalls() throws Exception {
        var library = FAKETIME.stream().filter(Files::exists).findFirst();
        assumeThat(library).as("faketime is installed").isPresent();
        var clock = Files.writeString(folder.resolve("clock"), "+0d");
        var variables = Map.of(
                "LD_PRELOAD",
                library.orElseThrow().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
        try (var daemon = OwnProcess.start(folder, variables);
                var client = daemon.connect()) {
            for (var shift : List.of("+10y", "-1d")) {
                var options = CallOptions.DEFAULTS.withTimeout(Duration.ofSeconds(20));
                var call = client.callToolAsync("faulty__slow", Map.of("millis", 1_000, "text", shift), options);

                Files.writeString(clock, shift);

                assertThat(call.get(30, TimeUnit.SECONDS).text()).isEqualTo(shift);
                assertThat(client.callTool("faulty__echo", Map.of("text", "on")).text())
                        .isEqualTo("on");
            }
        }
    }
}

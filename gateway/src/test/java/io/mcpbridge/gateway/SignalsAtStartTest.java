package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Signals while a daemon reads its configuration, which is a pipe that the test controls. */
@Timeout(120)
@DisabledOnOs(OS.WINDOWS)
class SignalsAtStartTest {
    private final DaemonFixture fixture;
    private final Path pipe;
    private final DaemonProcess process;

    SignalsAtStartTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.unix("tool", new ToolScript("tool", "echo"));
        pipe = fixture.folder.resolve("mcp.json");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        process = DaemonProcess.start(pipe, fixture.folder.resolve("log"));
    }

    @AfterEach
    void close() throws Exception {
        process.close();
        fixture.close();
    }

    @Test
    void earlySigtermDrainsTheDaemon() throws Exception {
        try (var writer = begin()) {
            process.signal("TERM");
            writer.write(fixture.json());
        }

        assertThat(process.exitCode()).isZero();
        assertThat(process.logged("draining: 0 call(s)")).isTrue();
        assertThat(fixture.sockets()).containsExactly("tool.sock");
    }

    @Test
    void earlySighupReloadsTheConfiguration() throws Exception {
        try (var writer = begin()) {
            process.signal("HUP");
            writer.write(fixture.json());
            fixture.unix("later", new ToolScript("later", "echo"));
            Files.delete(pipe);
            Files.writeString(pipe, fixture.json());
        }

        Eventually.holds(
                "the other configuration to be taken",
                () -> process.logged("applied a new configuration with 2 server(s)"));
        assertThat(fixture.client("one").toolNames()).containsExactly("tool__echo", "later__echo");
        process.signal("TERM");
        assertThat(process.exitCode()).isZero();
    }

    /** Waits until the daemon reads, which it does after it has installed its handlers. */
    private Writer begin() throws Exception {
        return new OutputStreamWriter(Files.newOutputStream(pipe), StandardCharsets.UTF_8);
    }
}

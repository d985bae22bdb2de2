package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingReceiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is not the file which was approved does not start. */
@Timeout(60)
class ProgramPinTest {
    private static final String GOOD = "#!/bin/sh\necho '{\"jsonrpc\":\"2.0\",\"method\":\"ready\"}'\ncat\n";

    @TempDir
    private Path folder;

    private final Fixture fixture = new Fixture();
    private final RecordingReceiver receiver = new RecordingReceiver();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void approvedProgramStarts() throws Exception {
        var transport = transport(program(GOOD).toString(), digest(GOOD).toUpperCase(java.util.Locale.ROOT));

        transport.open(receiver, fixture.deadline());

        receiver.awaitMessage();
        transport.close();
    }

    @Test
    @DisplayName("E22: a program that was replaced after its approval is not started")
    void replacedProgramIsNotStarted() throws Exception {
        var mark = folder.resolve("was-started");
        var program = program(GOOD);
        var pinned = digest(GOOD);
        var other = "#!/bin/sh\ntouch " + mark + "\n";
        Files.writeString(program, other);

        assertThatThrownBy(() -> transport(program.toString(), pinned).open(receiver, fixture.deadline()))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED))
                .hasMessageContaining("Cannot start '%s': its program '%s'".formatted(program, program))
                .hasMessageContaining("has the SHA-256 " + digest(other))
                .hasMessageContaining("'sha256' says " + pinned);
        assertThat(mark).doesNotExist();
    }

    @Test
    @DisplayName("E22: the file that the child's own search path leads to is checked")
    void programIsLookedUpOnTheSearchPathOfTheChild() throws Exception {
        program(GOOD);
        var section = Map.of(
                "command", "server", "sha256", digest("other"), "env", Map.of("PATH", folder + ":/usr/bin:/bin"));
        var transport = new StdioTransport(StdioTransportSettings.from(Settings.of(section)), fixture.environment);

        assertThatThrownBy(() -> transport.open(receiver, fixture.deadline()))
                .hasMessageContaining(folder.resolve("server").toString())
                .hasMessageContaining(digest(GOOD));
    }

    @Test
    @DisplayName("E22: a program that is replaced during its start is ended before it gets any message")
    void programReplacedDuringItsStartIsEnded() throws Exception {
        var program = program(GOOD);
        var started = new ArrayList<ChildProcess>();
        var launcher = new ProcessLauncher() {
            @Override
            public ChildProcess launch(LaunchCommand command) throws InterruptedException {
                replace(program);
                var child = fixture.environment.launcher().launch(command);
                started.add(child);
                return child;
            }

            @Override
            public void close() {}
        };
        var section = Settings.of(Map.of("command", program.toString(), "sha256", digest(GOOD)));
        var transport = new StdioTransport(
                StdioTransportSettings.from(section),
                Environment.of(fixture.timekeeper, fixture.environment.workers(), launcher));

        assertThatThrownBy(() -> transport.open(receiver, fixture.deadline()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("its program '%s' was replaced during its start".formatted(program));
        assertThat(started)
                .singleElement()
                .satisfies(child ->
                        assertThat(child.onExit().toCompletableFuture()).isDone());
    }

    private void replace(Path program) {
        try {
            var other = Files.writeString(folder.resolve("other"), "#!/bin/sh\nexec cat\n");
            Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
            Files.move(other, program, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void missingProgramIsReported() {
        assertThatThrownBy(() -> transport("no-such-server", digest(GOOD)).open(receiver, fixture.deadline()))
                .hasMessageContaining("Cannot start 'no-such-server': its program does not exist");
    }

    private StdioTransport transport(String command, String sha256) {
        var section = Settings.of(Map.of("command", command, "sha256", sha256));
        return new StdioTransport(StdioTransportSettings.from(section), fixture.environment);
    }

    private Path program(String script) throws Exception {
        var file = Files.writeString(folder.resolve("server"), script);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static String digest(String text) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256").digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

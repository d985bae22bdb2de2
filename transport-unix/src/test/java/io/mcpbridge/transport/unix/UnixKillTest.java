package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The process that holds the socket is killed repeatedly: row D3 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixKillTest {
    private static final int ROUNDS = 100;
    private static final Path PERL = Path.of("/usr/bin/perl");

    /** Listens on the socket and holds the lock as a bridge does, but starts in a few milliseconds. */
    private static final String HOLDER = """
            use Socket; use Fcntl;
            my ($path, $lock) = @ARGV;
            sysopen(L, $lock, O_RDWR | O_CREAT, 0600) or die $!;
            my $whole = pack("s s x4 q q i x4", F_WRLCK, 0, 0, 0, 0);
            fcntl(L, F_SETLK, $whole) or die "lock: $!";
            unlink $path;
            socket(S, PF_UNIX, SOCK_STREAM, 0) or die $!;
            bind(S, sockaddr_un($path)) or die $!;
            listen(S, 5) or die $!;
            $| = 1; print "ready\\n"; sleep 60;
            """;

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private @Nullable Process holder;

    @AfterEach
    void endTheHolder() throws InterruptedException {
        if (holder != null) {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("D3: the socket of a killed process is replaced without a wait, 100 times in a row")
    void socketOfAKilledProcessIsReplacedEachTime() throws Exception {
        assumeTrue(Files.isExecutable(PERL), "needs perl for processes that start quickly");
        Files.createDirectory(
                folder.resolve("run"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        var path = folder.resolve("run/bridge.sock");

        for (int i = 0; i < ROUNDS; i++) {
            hold(path);
            if (i % 10 == 0) {
                assertThatThrownBy(() -> listener(path).start(new EchoAcceptor()))
                        .hasMessageContaining("already running");
            }
            endTheHolder();
            assertThat(path).exists();

            try (var listener = listener(path)) {
                listener.start(new EchoAcceptor());
                assertEchoes(path);
            }
        }
    }

    private void hold(Path path) throws IOException {
        var started = new ProcessBuilder(
                        PERL.toString(),
                        "-e",
                        HOLDER,
                        path.toString(),
                        path.resolveSibling("bridge.lock").toString())
                .redirectErrorStream(true)
                .start();
        holder = started;
        Eventually.holds("the holder to listen", () -> {
            try {
                return started.getInputStream().available() > 0;
            } catch (IOException ended) {
                throw new java.io.UncheckedIOException(ended);
            }
        });
        assertThat(started.inputReader().readLine()).isEqualTo("ready");
    }

    /** With a paused clock, so that a listener with a delay waits forever. */
    private UnixListener listener(Path path) {
        return new UnixListener(UnixListenerSettings.of(path), environment.with(new FakeTimekeeper()));
    }

    private static void assertEchoes(Path path) throws IOException {
        try (var client = LineClient.to(path)) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}");
            assertThat(client.receive()).contains("\"id\":1");
        }
    }
}

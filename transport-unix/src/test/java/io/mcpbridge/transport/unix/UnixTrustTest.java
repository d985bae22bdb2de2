package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.testkit.RecordingReceiver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Another user has created a socket below /tmp and waits for clients that take it for the bridge's. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixTrustTest {
    private static final Path PERL = Path.of("/usr/bin/perl");
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /** Prints that it listens, and then what it receives. */
    private static final String LISTENER = """
        use Socket; umask 0; $| = 1;
        socket(S, PF_UNIX, SOCK_STREAM, 0) or die $!;
        bind(S, sockaddr_un($ARGV[0])) or die $!;
        listen(S, 5) or die $!;
        print "ready\\n"; accept(C, S); print <C>; print "over\\n";
        """;

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    private final String name = "mcp-bridge-trust-" + ProcessHandle.current().pid() + ".sock";
    private final Path path = Path.of("/tmp", name);
    private final Path link = Path.of("/var/tmp", name);

    private Process stranger;

    @BeforeEach
    void listenAsAnotherUser() throws Exception {
        var isRoot = System.getProperty("user.name").equals("root");
        assumeTrue(
                isRoot && Files.isExecutable(SETPRIV) && Files.isExecutable(PERL),
                "needs root, setpriv and perl for a server of another user");
        stranger = new ProcessBuilder(
                        SETPRIV.toString(),
                        "--reuid",
                        "54321",
                        "--clear-groups",
                        PERL.toString(),
                        "-e",
                        LISTENER,
                        path.toString())
                .redirectErrorStream(true)
                .start();
        assertThat(stranger.inputReader().readLine()).isEqualTo("ready");
    }

    @AfterEach
    void end() throws Exception {
        if (stranger != null) {
            stranger.destroyForcibly().waitFor();
        }
        Files.deleteIfExists(path);
        Files.deleteIfExists(link);
    }

    @ParameterizedTest(name = "named by {0}")
    @DisplayName("U4: a socket of another user under /tmp is not trusted and receives nothing")
    @ValueSource(strings = {"its path", "a link"})
    void socketOfAnotherUserUnderTmpReceivesNothing(String how) throws Exception {
        var named = how.equals("its path") ? path : Files.createSymbolicLink(link, path);
        var loops = new SocketEventLoopGroup("mcp-bridge-test", 1, SocketEventLoop::new);
        var transport = new UnixTransport(UnixTransportSettings.of(named), environment.get(), loops);
        try {
            var deadline = Deadline.after(Duration.ofSeconds(20), environment.clock());

            assertThatThrownBy(() -> transport.open(new RecordingReceiver(), deadline))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("Cannot trust 'unix:" + named + "': user '54321' listens there");
            assertThat(stranger.inputReader().readLine()).isEqualTo("over");
        } finally {
            transport.close();
        }
    }
}

package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What only other processes show: rows D1, D3, D4, D12 and D13 of the fault matrix. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UnixProcessesTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final int LOOKS = 2_000;
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private int looks;
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() throws InterruptedException {
        for (var process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("D1: under a umask of 000 the socket is never accessible to others")
    void otherUsersNeverHaveAccessToTheSocket() throws Exception {
        var path = folder.resolve("run/bridge.sock");
        var modes = new TreeSet<String>();
        var process =
                run("sh", "-c", "umask 000; exec \"$@\"", "sh", JAVA, "-cp", classPath(), program(), path.toString());

        Eventually.holds("the socket", () -> seesRepeatedly(path, modes) && ready(process));
        assertThat(looks).isGreaterThan(LOOKS);

        assertThat(modes).containsExactly("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("run"))))
                .isEqualTo("rwx------");
    }

    @Test
    @DisplayName("D3: the socket of a killed process is replaced")
    void socketOfAKilledProcessIsReplaced() throws Exception {
        var path = folder.resolve("run/bridge.sock");
        var killed = serve(path);
        killed.destroyForcibly().waitFor();
        assertThat(path).exists();

        try (var listener = listener(path)) {
            listener.start(new EchoAcceptor());

            assertEchoes(path);
        }
    }

    @Test
    @DisplayName("D4: the message names the running process, which continues")
    void messageNamesTheProcessThatIsRunning() throws Exception {
        var path = folder.resolve("run/bridge.sock");
        var first = serve(path);

        assertThatThrownBy(() -> listener(path).start(new EchoAcceptor()))
                .hasMessageContaining("already running, pid " + first.pid());

        assertEchoes(path);
    }

    @Test
    @DisplayName("D12, D13: a user without a name is rejected by number before a byte is read")
    void otherUserIsRejectedBeforeAByteIsRead() throws Exception {
        assumeTrue(Files.isExecutable(SETPRIV) && isRoot(), "needs setpriv and root to become another user");
        // Only below a folder that all users share can another user reach the socket at all.
        var path = Path.of("/tmp", "mcp-bridge-test-" + ProcessHandle.current().pid() + ".sock");
        var acceptor = new EchoAcceptor();
        try (var listener = listener(path)) {
            listener.start(acceptor);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
            var process = run(
                    SETPRIV.toString(),
                    "--reuid",
                    "54321",
                    "--clear-groups",
                    JAVA,
                    "-cp",
                    readableCopy(),
                    ConnectProgram.class.getName(),
                    path.toString());

            assertThat(output(process)).isEqualTo("closed\n");
            assertThat(acceptor.connected).hasValue(0);
            assertThat(environment.logged())
                    .singleElement()
                    .asString()
                    .contains("rejected a connection of user '54321'");
            assertThat(acceptor.notes(AuditNote.PEER_REFUSED))
                    .singleElement()
                    .satisfies(note -> assertThat(note.details()).containsEntry("user", "54321"));
            assertEchoes(path);
        } finally {
            Files.deleteIfExists(
                    path.resolveSibling(path.getFileName().toString().replace(".sock", ".lock")));
        }
    }

    @Test
    @DisplayName("D13: a user without a name serves itself and is known by number")
    void userWithoutANameServesItself() throws Exception {
        assumeTrue(Files.isExecutable(SETPRIV) && isRoot(), "needs setpriv and root to become another user");
        var classes = ReadableClasses.in(folder);
        open(folder);
        // Only below a folder that all users share can the other user make one of its own.
        var path = Path.of("/tmp", "mcp-bridge-test-" + ProcessHandle.current().pid(), "bridge.sock");
        try {
            var process = run(
                    SETPRIV.toString(),
                    "--reuid",
                    "54321",
                    "--clear-groups",
                    JAVA,
                    "-cp",
                    classes.ours(),
                    NamelessProgram.class.getName(),
                    path.toString());

            assertThat(output(process))
                    .as(Files.readString(folder.resolve("stderr")))
                    .isEqualTo("served 54321\n");
        } finally {
            Files.deleteIfExists(path.resolveSibling("bridge.lock"));
            Files.deleteIfExists(path);
            Files.deleteIfExists(path.getParent());
        }
    }

    /** Gives every user read access to a folder. */
    private static void open(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var files = Files.list(folder)) {
            for (var file : files.toList()) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
            }
        }
    }

    private Process serve(Path path) throws IOException {
        var process = run(JAVA, "-cp", classPath(), program(), path.toString());
        Eventually.holds("the process to listen", () -> ready(process));
        return process;
    }

    private Process run(String... command) throws IOException {
        var process = new ProcessBuilder(command)
                .redirectError(folder.resolve("stderr").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private UnixListener listener(Path path) {
        return new UnixListener(UnixListenerSettings.of(path), environment.get());
    }

    /** A folder that every user may read, with the one class that the other user's process needs. */
    private String readableCopy() throws IOException {
        var name = ConnectProgram.class.getName().replace('.', '/') + ".class";
        var copy = folder.resolve(name);
        Files.createDirectories(folder.resolve("io/mcpbridge/transport/unix"));
        try (var bytes = ConnectProgram.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(java.util.Objects.requireNonNull(bytes), copy);
        }
        for (var each = copy; each != null && each.startsWith(folder); each = each.getParent()) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return folder.toString();
    }

    /** Checks many times without a pause, so that no mode can hide between two checks. */
    private boolean seesRepeatedly(Path path, Set<String> modes) {
        boolean isThere = false;
        for (int i = 0; i < LOOKS; i++) {
            isThere = seesOnce(path, modes);
            looks++;
        }
        return isThere;
    }

    private static boolean seesOnce(Path path, Set<String> modes) {
        try {
            modes.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)));
            return true;
        } catch (NoSuchFileException notYet) {
            return false;
        } catch (IOException failed) {
            throw new java.io.UncheckedIOException(failed);
        }
    }

    private static boolean ready(Process process) {
        try {
            return process.getInputStream().available() > 0;
        } catch (IOException ended) {
            throw new java.io.UncheckedIOException(ended);
        }
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    private static void assertEchoes(Path path) throws IOException {
        try (var client = LineClient.to(path)) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}");
            assertThat(client.receive()).contains("\"id\":1");
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static String program() {
        return ListenerProgram.class.getName();
    }
}

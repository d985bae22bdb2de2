package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The folder, the lock and the socket: rows D1 to D11 of the fault matrix. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnixListenerBindingTest {

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    @TempDir
    Path folder;

    private final List<UnixListener> listeners = new ArrayList<>();

    @AfterEach
    void closeListeners() {
        listeners.forEach(UnixListener::close);
    }

    @Test
    @DisplayName("D1: the socket and the folders created for it are accessible to their owner only")
    void onlyTheOwnerMayUseSocketAndFolder() throws Exception {
        var path = folder.resolve("one/two/bridge.sock");

        start(path);

        assertThat(mode(path)).isEqualTo("rw-------");
        assertThat(mode(folder.resolve("one/two"))).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("one"))).isEqualTo("rwx------");
        assertThat(mode(path.resolveSibling("bridge.lock"))).isEqualTo("rw-------");
        assertEchoes(path);
    }

    @Test
    @DisplayName("D2: a folder that others may write to is rejected")
    void folderThatOthersMayWriteToIsRejected() throws Exception {
        for (var mode : List.of("rwxrwx---", "rwx----w-", "rwxrwxrwx")) {
            var open = Files.createDirectory(folder.resolve(mode));
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));

            assertRejected(open.resolve("bridge.sock"), "is not safe: others may write to it (" + mode + ")");
        }
    }

    @Test
    @DisplayName("D2: a symbolic link in place of the folder is rejected")
    void linkInPlaceOfTheFolderIsRejected() throws Exception {
        var real = Files.createDirectory(folder.resolve("real"));
        Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(folder.resolve("link"), real);

        assertRejected(folder.resolve("link/bridge.sock"), "it is a symbolic link");
        assertThat(real).isEmptyDirectory();
    }

    @Test
    @DisplayName("D2: a folder of another user is rejected")
    void folderOfAnotherUserIsRejected() throws Exception {
        var foreign = Files.createDirectory(folder.resolve("foreign"));
        assumeTrue(giveAway(foreign), "only root can make a folder of another user");

        assertRejected(foreign.resolve("bridge.sock"), "it belongs to '54321'");
    }

    @Test
    @DisplayName("D2: a folder below one that every user may write to is rejected")
    void folderBelowAWorldWritableOneIsRejected() throws Exception {
        var open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertRejected(open.resolve("mine/bridge.sock"), "which is not both root's and sticky");
    }

    @Test
    @DisplayName("D3: a stale socket is replaced")
    void staleSocketIsReplaced() throws Exception {
        var path = private0700().resolve("bridge.sock");
        bind(path).close();
        assertThat(path).exists();

        start(path);

        assertEchoes(path);
    }

    @Test
    @DisplayName("D4: a second listener fails with the process id of the first, which continues")
    void secondListenerFailsWithTheProcessIdOfTheFirst() throws Exception {
        var path = private0700().resolve("bridge.sock");
        start(path);

        assertThatThrownBy(() -> start(path))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining(
                        "already running, pid " + ProcessHandle.current().pid());

        assertEchoes(path);
        assertThat(path.resolveSibling("bridge.lock"))
                .hasContent(ProcessHandle.current().pid() + "\n");
    }

    @Test
    @DisplayName("D4: exactly one of two concurrent starts wins, 50 times")
    void exactlyOneOfTwoConcurrentStartsWins() throws Exception {
        var path = private0700().resolve("bridge.sock");
        var threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 50; round++) {
                var go = new CountDownLatch(1);
                var one = threads.submit(() -> startsAfter(go, path));
                var other = threads.submit(() -> startsAfter(go, path));
                go.countDown();

                assertThat(one.get() ^ other.get()).isTrue();
                assertEchoes(path);
                closeListeners();
                listeners.clear();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("D4: a program that listens without the lock is not replaced")
    void programThatListensWithoutTheLockIsNotReplaced() throws Exception {
        var path = private0700().resolve("bridge.sock");
        try (var foreign = bind(path)) {
            assertRejected(path, "another program listens there");

            assertThat(foreign.isOpen()).isTrue();
            LineClient.to(path).close();
        }
    }

    @Test
    @DisplayName("D5: a file, a folder and a link at the path are rejected and stay")
    void otherFileAtThePathIsRejectedAndStays() throws Exception {
        var safe = private0700();
        bind(safe.resolve("stale.sock")).close();
        var link = Files.createSymbolicLink(safe.resolve("link.sock"), safe.resolve("stale.sock"));
        var file = Files.writeString(safe.resolve("file.sock"), "precious");
        var directory = Files.createDirectory(safe.resolve("folder.sock"));

        assertRejected(file, "is a file, not a socket");
        assertRejected(directory, "is a folder, not a socket");
        assertRejected(link, "is a symbolic link, not a socket");

        assertThat(safe.resolve("stale.sock")).exists();
        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(file).hasContent("precious");
        assertThat(directory).isDirectory();
    }

    @Test
    @DisplayName("D6: a dangling symbolic link at the path is rejected and stays")
    void danglingLinkAtThePathIsRejected() throws Exception {
        var link = Files.createSymbolicLink(private0700().resolve("bridge.sock"), folder.resolve("nowhere"));

        assertRejected(link, "is a symbolic link, not a socket");

        assertThat(Files.isSymbolicLink(link)).isTrue();
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    @Test
    @DisplayName("D7: a lock that is a symbolic link is rejected")
    void lockThatIsALinkIsRejected() throws Exception {
        var safe = private0700();
        Files.createSymbolicLink(safe.resolve("bridge.lock"), folder.resolve("victim"));

        assertRejected(safe.resolve("bridge.sock"), "bridge.lock', is not safe: it is a symbolic link");

        assertThat(folder.resolve("victim")).doesNotExist();
    }

    @Test
    @DisplayName("D8: a path of 106 bytes works")
    void pathOf106BytesWorks() throws Exception {
        var path = pathOfLength(106);

        start(path);

        assertEchoes(path);
    }

    @Test
    @DisplayName("D8: a path of 107 bytes is rejected with the limit")
    void pathOf107BytesIsRejectedWithTheLimit() throws Exception {
        var path = pathOfLength(107);

        assertRejected(path, "has 107 bytes but must have at most 106");
    }

    @Test
    @DisplayName("D9: a folder that cannot be created is reported, and nothing is left")
    void folderThatCannotBeCreatedIsReported() {
        var before = LeakCheck.now();

        assertThatThrownBy(() -> start(Path.of("/proc/mcp-bridge/bridge.sock")))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("Cannot listen on '/proc/mcp-bridge/bridge.sock': no such file. Choose a path")
                .hasMessageContaining("Choose a path in a folder that you may write to");

        before.assertNothingLeftNorOpen();
    }

    @Test
    @DisplayName("D10: a removed socket is bound again")
    void removedSocketIsBoundAgain() throws Exception {
        var path = private0700().resolve("bridge.sock");
        var time = new FakeTimekeeper();
        start(path, time);
        try (var early = LineClient.to(path)) {
            Files.delete(path);

            time.advance(UnixListener.RECHECK_INTERVAL);

            assertEchoes(path);
            assertEchoes(early);
            assertThat(environment.logged()).singleElement().asString().contains("removed and is bound again");
        }
    }

    @Test
    @DisplayName("D11: a removed folder is created again and locked")
    void removedFolderIsCreatedAgain() throws Exception {
        var path = folder.resolve("run/bridge.sock");
        var time = new FakeTimekeeper();
        start(path, time);
        Files.delete(path);
        Files.delete(path.resolveSibling("bridge.lock"));
        Files.delete(folder.resolve("run"));

        time.advance(UnixListener.RECHECK_INTERVAL);

        assertEchoes(path);
        assertThat(mode(folder.resolve("run"))).isEqualTo("rwx------");
        assertRejected(path, "already running");
    }

    @Test
    @DisplayName("D10: a foreign socket at the path is reported and left alone")
    void foreignSocketAtThePathIsReportedAndLeftAlone() throws Exception {
        var path = private0700().resolve("bridge.sock");
        var time = new FakeTimekeeper();
        var listener = start(path, time);
        Files.delete(path);
        try (var foreign = bind(path)) {
            time.advance(UnixListener.RECHECK_INTERVAL);
            listener.close();

            assertThat(environment.logged()).singleElement().asString().contains("something else is at the path");
            assertThat(path).exists();
            LineClient.to(path).close();
            assertThat(foreign.isOpen()).isTrue();
        }
    }

    @Test
    void closeRemovesTheSocketAndTheLockFile() throws Exception {
        var path = private0700().resolve("bridge.sock");

        start(path).close();

        assertThat(path).doesNotExist();
        assertThat(path.resolveSibling("bridge.lock")).doesNotExist();
    }

    @Test
    void twentyStartsLeaveNothingBehind() throws Exception {
        var path = private0700().resolve("bridge.sock");
        start(path).close();
        var before = LeakCheck.now();

        for (int i = 0; i < 20; i++) {
            var listener = start(path);
            assertEchoes(path);
            listener.close();
        }

        before.assertNothingLeftNorOpen();
    }

    private boolean startsAfter(CountDownLatch go, Path path) throws InterruptedException {
        go.await();
        try {
            start(path);
            return true;
        } catch (BridgeException lost) {
            return false;
        }
    }

    private UnixListener start(Path path) {
        return start(path, environment.clock());
    }

    private UnixListener start(Path path, io.mcpbridge.call.Timekeeper time) {
        var listener = new UnixListener(UnixListenerSettings.of(path), environment.with(time));
        listener.start(new EchoAcceptor());
        synchronized (listeners) {
            listeners.add(listener);
        }
        return listener;
    }

    private void assertRejected(Path path, String reason) {
        assertThatThrownBy(() -> start(path))
                .isInstanceOfAny(ConfigurationException.class, TransportException.class)
                .hasMessageContaining(reason);
    }

    private static void assertEchoes(Path path) throws IOException {
        try (var client = LineClient.to(path)) {
            assertEchoes(client);
        }
    }

    private static void assertEchoes(LineClient client) throws IOException {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"n\":1}}");
        assertThat(client.receive()).contains("\"result\":{\"n\":1}");
    }

    private Path private0700() throws IOException {
        var safe = Files.createDirectories(folder.resolve("safe"));
        Files.setPosixFilePermissions(safe, PosixFilePermissions.fromString("rwx------"));
        return safe;
    }

    private Path pathOfLength(int length) throws IOException {
        var safe = private0700();
        var missing = length - safe.toString().length() - 1;
        return safe.resolve("s".repeat(missing));
    }

    private static boolean giveAway(Path path) {
        try {
            Files.setAttribute(path, "unix:uid", 54321);
            return true;
        } catch (IOException notRoot) {
            return false;
        }
    }

    private static ServerSocketChannel bind(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }
}

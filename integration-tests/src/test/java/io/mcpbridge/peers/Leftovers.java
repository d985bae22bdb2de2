package io.mcpbridge.peers;

import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a class of tests would leave behind: threads of ours, processes, those that lost their parent too, sockets. */
final class Leftovers {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    private final LeakCheck residue = LeakCheck.now();
    private final long sockets;

    private Leftovers(long sockets) {
        this.sockets = sockets;
    }

    static Leftovers now() {
        openTheSocketThatTheJdkKeeps();
        return new Leftovers(sockets());
    }

    /** The first channel that is closed makes the JDK open one for its own use. */
    private static void openTheSocketThatTheJdkKeeps() {
        try (var channel = SocketChannel.open()) {
            channel.configureBlocking(false);
        } catch (IOException noSockets) {
            throw new UncheckedIOException(noSockets);
        }
    }

    /** Waits until all is as it was when this was made. */
    void assertNone() {
        residue.assertNothingLeft();
        Eventually.holds(
                () -> "marked processes to end; left are " + Mark.processes(),
                () -> Mark.processes().isEmpty());
        Eventually.holds(() -> sockets() + " open sockets to become " + sockets, () -> sockets() <= sockets);
    }

    private static long sockets() {
        if (!Files.isDirectory(OPEN_FILES)) {
            return 0;
        }
        try (var open = Files.list(OPEN_FILES)) {
            return open.filter(Leftovers::isSocket).count();
        } catch (IOException unreadable) {
            return 0;
        }
    }

    private static boolean isSocket(Path open) {
        try {
            return Files.readSymbolicLink(open).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }
}

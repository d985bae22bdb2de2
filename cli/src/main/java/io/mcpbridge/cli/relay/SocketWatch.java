package io.mcpbridge.cli.relay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the socket of a daemon to appear: it looks at the path a few times a second. One thread waits at a time; any
 * thread may close it, which ends the wait.
 */
final class SocketWatch implements AutoCloseable {
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path socket;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** The file that was at the path when it was looked at last. */
    private Optional<Object> seen;

    SocketWatch(Path socket) {
        this.socket = socket;
        this.seen = file();
    }

    /** Waits for this time; returns true early if the socket has appeared or was replaced. */
    boolean await(Duration time) throws InterruptedException {
        var end = System.nanoTime() + time.toNanos();
        for (var left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            var before = seen;
            seen = file();
            if (seen.isPresent() && !seen.equals(before)) {
                return true;
            }
            if (closed.await(Math.min(left, LOOK_EVERY_NANOS), TimeUnit.NANOSECONDS)) {
                return false;
            }
        }
        return false;
    }

    /** Identifies the file at the path; empty if there is none. */
    private Optional<Object> file() {
        try {
            var attributes = Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            // A new file may have the number of a removed one.
            return Optional.of(List.of(String.valueOf(attributes.fileKey()), attributes.lastModifiedTime()));
        } catch (IOException missing) {
            return Optional.empty();
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}

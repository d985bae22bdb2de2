package io.mcpbridge.cli.relay;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the socket of a daemon to appear, by watching its folder. Where that cannot be watched, such as while it
 * does not exist, only the time passes. One thread waits at a time; any thread may close it, which ends the wait.
 */
final class SocketWatch implements AutoCloseable {
    private final Path folder;
    private final Path name;
    private final @Nullable WatchService service;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable WatchKey key;

    private SocketWatch(Path socket, @Nullable WatchService service) {
        var absolute = socket.toAbsolutePath();
        this.folder = absolute.resolveSibling("");
        this.name = absolute.getFileName();
        this.service = service;
    }

    static SocketWatch of(Path socket) {
        var watch = new SocketWatch(socket, service(socket));
        watch.register();
        return watch;
    }

    private static @Nullable WatchService service(Path socket) {
        try {
            return socket.getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException exhausted) {
            return null;
        }
    }

    /** Begins to watch the folder; false if it is watched already or cannot be. */
    private boolean register() {
        if (service == null || (key != null && key.isValid())) {
            return false;
        }
        try {
            key = folder.register(service, ENTRY_CREATE);
            return true;
        } catch (IOException | ClosedWatchServiceException missing) {
            return false;
        }
    }

    /** Waits for this time; returns true early if the socket has appeared, or may have. */
    boolean await(Duration time) throws InterruptedException {
        if (register()) {
            // The socket may have appeared with its folder.
            return true;
        }
        if (service == null) {
            var unused = closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            return false;
        }
        var end = System.nanoTime() + time.toNanos();
        try {
            for (var left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
                var signalled = service.poll(left, TimeUnit.NANOSECONDS);
                if (signalled != null && hasAppeared(signalled)) {
                    return true;
                }
            }
        } catch (ClosedWatchServiceException stopped) {
            return false;
        }
        return false;
    }

    private boolean hasAppeared(WatchKey signalled) {
        var hasAppeared = signalled.pollEvents().stream().anyMatch(this::isOfTheSocket);
        // The folder was removed; the next wait may find a new one.
        return !signalled.reset() || hasAppeared;
    }

    private boolean isOfTheSocket(WatchEvent<?> event) {
        return event.kind() == OVERFLOW || name.equals(event.context());
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    @Override
    public void close() {
        closed.countDown();
        if (service != null) {
            try {
                service.close();
            } catch (IOException ignored) {
                // The process is about to end.
            }
        }
    }
}

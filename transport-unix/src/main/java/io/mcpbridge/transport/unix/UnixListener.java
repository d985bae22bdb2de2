package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients on a Unix socket, one message a line. Only our own user and root get in.
 *
 * <p>While it accepts, it looks from time to time whether its path still leads to it, and takes the path again
 * where somebody has cleared it away.
 */
final class UnixListener implements Listener {
    static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final UnixListenerSettings settings;
    private final Environment environment;
    private final SocketPlace place;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Doorman doorman;

    /** Where we accept; null before the start and when nobody new comes any more. */
    @GuardedBy("lock")
    private @Nullable ServerSocketChannel door;

    @GuardedBy("lock")
    private Timekeeper.Alarm nextLook = () -> {};

    @GuardedBy("lock")
    private boolean closed;

    UnixListener(UnixListenerSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
        this.place = new SocketPlace(settings.path(), settings.backlog());
    }

    @Override
    public void check() {
        place.check();
    }

    @Override
    public void start(Acceptor acceptor) {
        lock.lock();
        try {
            if (doorman != null || closed) {
                throw new IllegalStateException("a listener starts once; make another one");
            }
            var channel = place.take();
            doorman = doorman(acceptor, channel);
            door = channel;
            lookLater();
        } finally {
            lock.unlock();
        }
        log(System.Logger.Level.INFO, "listening");
    }

    @Override
    public URI address() {
        return SocketPath.uri(settings.path());
    }

    @Override
    public void stopAccepting() {
        lock.lock();
        try {
            nextLook.cancel();
            if (door != null && doorman != null) {
                place.unlink();
                doorman.shut(door);
                door = null;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopAccepting();
        Doorman last;
        lock.lock();
        try {
            last = closed ? null : doorman;
            closed = true;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
            place.release();
        }
    }

    /** How many connections were turned away at the door. */
    long refused() {
        lock.lock();
        try {
            return doorman == null ? 0 : doorman.refused();
        } finally {
            lock.unlock();
        }
    }

    int connections() {
        lock.lock();
        try {
            return doorman == null ? 0 : doorman.connections();
        } finally {
            lock.unlock();
        }
    }

    private Doorman doorman(Acceptor acceptor, ServerSocketChannel channel) {
        try {
            var started = new Doorman(settings, environment, place.credentials(), acceptor);
            started.open(channel);
            return started;
        } catch (RuntimeException failed) {
            Quietly.close(channel);
            place.release();
            throw failed;
        }
    }

    @GuardedBy("lock")
    private void lookLater() {
        nextLook = environment
                .timekeeper()
                .schedule(LOOK_AGAIN, () -> environment.workers().execute(this::look));
    }

    private void look() {
        lock.lock();
        try {
            if (door == null) {
                return;
            }
            switch (place.state()) {
                case OURS -> {}
                case GONE -> takeAgain(door);
                case ANOTHERS ->
                    log(System.Logger.Level.ERROR, "something else is at the path; clients do not find us");
            }
            lookLater();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void takeAgain(ServerSocketChannel lost) {
        try {
            var channel = place.take();
            if (doorman != null) {
                doorman.open(channel);
                doorman.shut(lost);
            }
            door = channel;
            log(System.Logger.Level.WARNING, "the socket was removed and is made again");
        } catch (BridgeException failed) {
            log(System.Logger.Level.ERROR, "the socket was removed and cannot be made again: " + failed.getMessage());
        }
    }

    private void log(System.Logger.Level level, String what) {
        environment.logger().log(level, "[mcp-bridge] unix:{0} {1}", settings.path(), what);
    }
}

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
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serves clients on a Unix socket, one message per line. Only the bridge's user and root may connect.
 *
 * <p>While it accepts, it checks its path regularly and binds again if another program has removed the socket.
 */
final class UnixListener implements Listener {
    static final Duration RECHECK_INTERVAL = Duration.ofSeconds(5);

    private final UnixListenerSettings settings;
    private final Environment environment;
    private final SocketBinding binding;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable AcceptLoop acceptLoop;

    /** The bound channel, which accepts from the start on; null before {@code bind} and after {@code stopAccepting}. */
    @GuardedBy("lock")
    private @Nullable ServerSocketChannel channel;

    @GuardedBy("lock")
    private Timekeeper.Alarm nextCheck = () -> {};

    @GuardedBy("lock")
    private boolean closed;

    UnixListener(UnixListenerSettings settings, Environment environment) {
        this.settings = settings;
        this.environment = environment;
        this.binding = new SocketBinding(settings.path(), settings.backlog());
    }

    @Override
    public void check() {
        binding.check();
    }

    @Override
    public void bind() {
        lock.lock();
        try {
            if (channel != null || acceptLoop != null || closed) {
                throw new IllegalStateException("a listener binds and starts once; create another one");
            }
            channel = binding.take();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(Acceptor acceptor) {
        lock.lock();
        try {
            if (channel == null || acceptLoop != null) {
                bind();
            }
            acceptLoop = startAccepting(acceptor, Objects.requireNonNull(channel, "bound"));
            scheduleCheck();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public URI address() {
        return SocketPath.uri(settings.path());
    }

    @Override
    public void stopAccepting() {
        lock.lock();
        try {
            nextCheck.cancel();
            if (channel == null) {
                return;
            }
            binding.unlink();
            if (acceptLoop == null) {
                Closeables.closeQuietly(channel);
            } else {
                acceptLoop.shut(channel);
            }
            channel = null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stopAccepting();
        AcceptLoop last;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            last = acceptLoop;
            closed = true;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
        binding.release();
    }

    private AcceptLoop startAccepting(Acceptor acceptor, ServerSocketChannel channel) {
        var started = new AcceptLoop(settings, environment, binding.own(), acceptor, SocketEventLoopGroup.COMMON);
        started.open(channel);
        return started;
    }

    @GuardedBy("lock")
    private void scheduleCheck() {
        nextCheck = environment
                .timekeeper()
                .schedule(RECHECK_INTERVAL, () -> environment.workers().execute(this::checkPath));
    }

    private void checkPath() {
        lock.lock();
        try {
            if (channel == null) {
                return;
            }
            switch (binding.state()) {
                case OURS -> {}
                case MISSING -> rebind(channel);
                case FOREIGN ->
                    log(System.Logger.Level.ERROR, "something else is at the path, so clients cannot connect");
            }
            scheduleCheck();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void rebind(ServerSocketChannel lost) {
        try {
            var taken = binding.take();
            if (acceptLoop != null) {
                acceptLoop.open(taken);
                acceptLoop.shut(lost);
            }
            channel = taken;
            log(System.Logger.Level.WARNING, "the socket was removed and is bound again");
        } catch (BridgeException failed) {
            log(System.Logger.Level.ERROR, "the socket was removed and cannot be bound again: " + failed.getMessage());
        }
    }

    private void log(System.Logger.Level level, String what) {
        environment.logger().log(level, "[mcp-bridge] unix:{0} {1}", settings.path(), what);
    }
}

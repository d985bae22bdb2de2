package io.mcpbridge.transport.http.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.stream.EventTurn;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.util.Version;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The event loops that all transports or listeners of one provider share. They run only while there are leases.
 *
 * <p>Any thread may use it. The threads are daemons, so that a library never keeps its program alive.
 */
public final class SharedEventLoopGroup {
    private static final int MOST_THREADS = 2;

    private final String threadName;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable EventLoopGroup group;

    @GuardedBy("lock")
    private int leases;

    public SharedEventLoopGroup(String threadName) {
        this.threadName = threadName;
    }

    /** Returns a lease; the first one starts the loops. */
    public Lease lease() {
        lock.lock();
        try {
            var loops = group;
            if (loops == null) {
                loops = start();
                group = loops;
            }
            leases++;
            return new Lease(loops);
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("deprecation") // Netty 4.1 has no other group for NIO.
    private EventLoopGroup start() {
        requireNetty();
        // With a loop for each processor the loops wake each other, and servers and clients get less of them.
        int threads = Math.max(1, Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors() / 2));
        var loops = new NioEventLoopGroup(threads, new DefaultThreadFactory(threadName, true));
        loops.forEach(loop -> loop.execute(() -> EventTurn.declare(loop)));
        return loops;
    }

    /**
     * Fails if the build has another Netty than is needed. Older ones accept lines that end in LF alone.
     *
     * @throws TransportException if it has
     */
    private static void requireNetty() {
        try {
            var unused = new HttpDecoderConfig().setStrictLineParsing(true);
        } catch (LinkageError tooOld) {
            var version = Version.identify().get("netty-codec-http");
            var words =
                    "Cannot use Netty %s for HTTP: it must be 4.1.125 or newer, or 4.2.5 or newer; set the version of"
                            + " 'io.netty:netty-bom' in the build";
            throw TransportException.of(Failure.of(
                            ErrorCode.PROVIDER_INIT_FAILED,
                            words.formatted(version == null ? "of an unknown version" : version.artifactVersion()))
                    .withCause(tooOld));
        }
    }

    private @Nullable EventLoopGroup release() {
        lock.lock();
        try {
            if (--leases > 0) {
                return null;
            }
            var last = group;
            group = null;
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** The right to use the loops until it is closed. */
    public final class Lease implements AutoCloseable {
        private static final long QUIET_MILLIS = 0;
        private static final long MOST_MILLIS = 2000;

        private final EventLoopGroup group;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        private Lease(EventLoopGroup group) {
            this.group = group;
        }

        public EventLoopGroup group() {
            return group;
        }

        public EventLoop next() {
            return group.next();
        }

        /** Whether the current thread is one of the loops, which must not wait. */
        public boolean isHere() {
            for (var each : group) {
                if (each.inEventLoop()) {
                    return true;
                }
            }
            return false;
        }

        /** Ends the lease; the last one stops the loops and waits a bounded time for their threads. */
        @Override
        public void close() {
            var last = isClosed.compareAndSet(false, true) ? release() : null;
            if (last == null) {
                return;
            }
            boolean here = isHere();
            var end = last.shutdownGracefully(QUIET_MILLIS, MOST_MILLIS, TimeUnit.MILLISECONDS);
            if (!here) {
                end.awaitUninterruptibly(2 * MOST_MILLIS);
            }
        }
    }
}

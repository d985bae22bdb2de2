package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Bounds;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.stream.LineContext;
import io.mcpbridge.stream.LineSettings;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** All connections of one listener, and what they share. Any thread may use it. */
final class Connections extends ChannelInitializer<SocketChannel> {
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);
    private static final Duration SHORTEST_TICK = Duration.ofMillis(10);

    private final HttpListenerSettings settings;
    private final Environment environment;
    private final Acceptor acceptor;
    private final Intake intake;
    private final Notes notes;
    private final SseStreams sseStreams = new SseStreams();
    private final Gate gate;
    private final ReplayStore replay;
    private final Duration tick;
    private final Set<RequestHandler> all = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition oneLess = lock.newCondition();
    private volatile boolean isClosed;

    Connections(HttpListenerSettings settings, Environment environment, Acceptor acceptor, Intake intake) {
        this.acceptor = acceptor;
        this.settings = settings;
        this.environment = environment;
        this.intake = intake;
        this.notes = new Notes(acceptor, settings.host() + ":" + settings.port());
        this.gate = new Gate(settings);
        this.replay =
                new ReplayStore(environment.timekeeper(), settings.limits().maxReplayBytes());
        this.tick = tick(settings.limits());
    }

    /** Often enough for the shortest of the spans that are watched. */
    private static Duration tick(HttpListenerLimits limits) {
        var shortest = Stream.of(
                        limits.headDeadline(),
                        limits.requestDeadline(),
                        limits.keepAlive(),
                        limits.writeDeadline(),
                        limits.commentInterval(),
                        LONGEST_TICK.multipliedBy(4))
                .min(Duration::compareTo)
                .orElseThrow()
                .dividedBy(4);
        return shortest.compareTo(SHORTEST_TICK) < 0 ? SHORTEST_TICK : shortest;
    }

    /** Begins to watch the clock for all connections. */
    void watch() {
        environment.timekeeper().schedule(tick, this::check);
    }

    private void check() {
        if (isClosed) {
            return;
        }
        all.forEach(RequestHandler::check);
        replay.sweep();
        watch();
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        var handler = new RequestHandler(this, channel);
        all.add(handler);
        if (all.size() > settings.limits().connections()) {
            remove(handler);
            notes.flood(Notes.host(channel), settings.limits().connections());
            var busy = HttpText.whole(503, Metadata.EMPTY, Optional.empty(), Manner.CLOSING);
            channel.writeAndFlush(busy.encoding().encode(channel.alloc())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        channel.pipeline()
                .addLast(new StrictRequestDecoder(settings.limits(), handler.pace()::bytesCame))
                .addLast(handler);
        if (isClosed) {
            handler.breakOff();
        }
    }

    void remove(RequestHandler handler) {
        all.remove(handler);
        lock.lock();
        try {
            oneLess.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        isClosed = true;
        all.forEach(RequestHandler::breakOff);
    }

    /** Waits until no connection is left, or that long. */
    void awaitNone(long nanos) {
        long left = nanos;
        lock.lock();
        try {
            while (!all.isEmpty() && left > 0) {
                left = oneLess.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Says why a connection ends whose client does not read. */
    void noteStall(SocketChannel client, long waitingBytes) {
        var limit = settings.limits().writeDeadline().toMillis();
        var reason = "it took none of %d waiting bytes for %d ms, which is 'write-deadline'";
        noteSlowReader(client, reason.formatted(waitingBytes, limit));
    }

    /** Says why a connection ends whose client has too much waiting for it already. */
    void noteOverflow(SocketChannel client, long waitingBytes) {
        var reason = "an answer did not fit beside %d waiting bytes, 'max-queued-bytes' being %d";
        noteSlowReader(client, reason.formatted(waitingBytes, settings.limits().maxQueuedBytes()));
    }

    private void noteSlowReader(SocketChannel client, String reason) {
        notes.slowReader(Notes.host(client), reason);
        var words = "[mcp-bridge] the connection of %s is ended: %s".formatted(client.remoteAddress(), reason);
        logger().log(System.Logger.Level.WARNING, words);
    }

    Gate gate() {
        return gate;
    }

    HttpListenerLimits limits() {
        return settings.limits();
    }

    Intake intake() {
        return intake;
    }

    Notes notes() {
        return notes;
    }

    ReplayStore replay() {
        return replay;
    }

    Acceptor acceptor() {
        return acceptor;
    }

    SseStreams sseStreams() {
        return sseStreams;
    }

    /** How large a message may be. */
    Limits messageLimits() {
        return environment.bounds().fromClients().withMaxBytes(settings.limits().maxBodyBytes());
    }

    /** What clients whose session is one stream share. */
    LineContext lineContext() {
        var line = LineSettings.of(environment.bounds())
                .withLimits(messageLimits())
                .withMaxQueuedBytes(settings.limits().maxQueuedBytes());
        return new LineContext(line, environment);
    }

    Bounds bounds() {
        return environment.bounds();
    }

    Timekeeper timekeeper() {
        return environment.timekeeper();
    }

    System.Logger logger() {
        return environment.logger();
    }
}

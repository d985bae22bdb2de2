package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.RequestOrigin.Remote;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FrameSplitter;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one client on a byte stream: each line that comes in becomes an {@link Exchange}, and each message for
 * the client leaves as a line.
 *
 * <p>A listener creates one per connection, {@linkplain #start starts} it and passes on the bytes that it reads, on one
 * thread at a time ({@link #received}, {@link #halfClosed}). Any thread may call the other methods. The connection ends by
 * closing its sink: after the last response, or when {@link #lost} or {@link #close} is called.
 */
public final class ClientLineConnection {
    private final ByteSink sink;
    private final Peer peer;
    private final ClientStreamLimits settings;
    private final Environment environment;
    private final FrameSplitter frames;
    private final LineTimeout lineTimeout = new LineTimeout();
    private final OutboundQueue outbound;
    private final LineExchange listening = new LineExchange(null);
    private final PowerOfTwoSampler rejections = new PowerOfTwoSampler();
    private final ReplaceableAlarm flushTimeout = new ReplaceableAlarm();
    private final ReentrantLock lock = new ReentrantLock();

    /** The exchanges that have not ended. */
    @GuardedBy("lock")
    private final Set<LineExchange> open = new HashSet<>();

    /** Null before the start. */
    private volatile @Nullable Acceptor acceptor;

    /** Null until the acceptor has accepted the client; written under the lock. */
    private volatile @Nullable Intake intake;

    /** Whether the reading thread is inside the intake. */
    @GuardedBy("lock")
    private boolean delivering;

    @GuardedBy("lock")
    private boolean closed;

    /** Whether the intake is to receive {@code closed} as soon as the delivery in progress returns. */
    @GuardedBy("lock")
    private boolean closePending;

    /** Whether further input of the client is ignored. */
    private volatile boolean ignoresInput;

    /** Whether only the queued messages are left to write. */
    private volatile boolean finishing;

    /**
     * Makes the connection of a client, which {@link #start} begins.
     *
     * @param settings its limits
     * @param environment clock, logger, and the budget of bytes that may wait for all clients together
     */
    public ClientLineConnection(ByteSink sink, Peer peer, ClientStreamLimits settings, Environment environment) {
        this.sink = sink;
        this.peer = peer;
        this.settings = settings;
        this.environment = environment;
        this.frames = new FrameSplitter(settings.limits());
        this.outbound = new OutboundQueue(
                sink, settings.maxQueuedBytes(), environment.limits().outbound(), this::end);
    }

    /**
     * Passes the client to the acceptor, and delivers the exchange that stays open as long as the connection.
     *
     * @return false if the acceptor rejected the client; the sink is closed then
     */
    public boolean start(Acceptor receiver) {
        acceptor = receiver;
        var accepted = receiver.connected(peer);
        if (accepted.isEmpty()) {
            end("the bridge rejected it");
            return false;
        }
        if (!open(accepted.get())) {
            accepted.get().closed();
            return false;
        }
        deliver(listening);
        return true;
    }

    /** Processes bytes that the client sent. */
    public void received(ByteBuffer bytes) {
        if (ignoresInput) {
            bytes.position(bytes.limit());
            return;
        }
        try {
            frames.feed(bytes, this::frame);
            lineTimeout.update(frames.isInsideFrame());
        } catch (ProtocolException unreadable) {
            reject(unreadable.failure());
        }
    }

    /** Reports that the client sends nothing more. It may still read, so the connection ends after its open calls. */
    public void halfClosed() {
        lineTimeout.close();
        endOfInput();
        ignoresInput = true;
        // It cannot answer requests any more, so the bridge sends it none.
        listening.abandon();
        finishIfIdle();
    }

    /** Reports that the client has disconnected, or the sink is broken. */
    public void lost(String why) {
        endOfInput();
        end(why);
    }

    /** Reports that the sink can accept more bytes. */
    public void writable() {
        outbound.flush();
    }

    /** Ends the connection and drops what is not written yet. */
    public void close() {
        end("the bridge closed the connection");
    }

    public Peer peer() {
        return peer;
    }

    private void frame(byte[] json) {
        lineTimeout.frameEnded();
        if (ignoresInput) {
            return;
        }
        try {
            var limits = settings.limits();
            var isBatch = Message.isBatch(json) && acceptsBatches();
            for (var message : isBatch ? Message.scanBatch(json, limits) : List.of(Message.scan(json, limits))) {
                deliver(new LineExchange(message));
            }
        } catch (ProtocolException malformed) {
            refuse(json, malformed.failure());
        }
    }

    /** Whether a line of the client may have several messages. */
    private boolean acceptsBatches() {
        var target = intake;
        return target != null && target.takesBatches(MessageHeaders.EMPTY, peer.principal());
    }

    private void refuse(byte[] json, Failure failure) {
        // The failure may quote the line.
        noteRejection(
                AuditNote.FRAME_REFUSED, Map.of("code", failure.code().name(), "bytes", Integer.toString(json.length)));
        var id = Message.readableId(json, settings.limits());
        var answer = id.map(known -> JsonRpcErrorMapper.toResponse(known, failure, ""))
                .orElseGet(() -> JsonRpcErrorMapper.toResponse(failure));
        answer(answer);
    }

    /** Sends a response; the connection ends if the queue has no room for it. */
    private void answer(Message answer) {
        if (outbound.offer(answer) == Offer.FULL) {
            end("it does not read its responses: %d bytes wait, the limit is %d"
                    .formatted(outbound.waitingBytes(), settings.maxQueuedBytes()));
        }
    }

    private void endOfInput() {
        if (!ignoresInput && frames.isInsideFrame()) {
            log("sent an incomplete last line, which is not executed");
            noteRejection(AuditNote.LINE_TRUNCATED, Map.of());
        }
    }

    /** Sends the client an error that says why its stream cannot be read any further, and closes the connection. */
    private void reject(Failure failure) {
        ignoresInput = true;
        lineTimeout.close();
        outbound.offer(JsonRpcErrorMapper.toResponse(failure));
        log("is disconnected: " + failure.message());
        // The reason names limits only.
        noteRejection(AuditNote.FRAME_REFUSED, Map.of("code", failure.code().name(), "reason", failure.message()));
        takeOpen().forEach(LineExchange::abandon);
        finish();
    }

    private void finishIfIdle() {
        boolean isIdle;
        lock.lock();
        try {
            isIdle = open.stream().noneMatch(LineExchange::isRequest);
        } finally {
            lock.unlock();
        }
        if (isIdle) {
            finish();
        }
    }

    /** Closes the connection when everything is written, or when the client does not read it in time. */
    private void finish() {
        ignoresInput = true;
        finishing = true;
        var timekeeper = environment.timekeeper();
        flushTimeout.set(
                timekeeper.schedule(settings.frameDeadline(), () -> end("it did not read its last responses in time")));
        outbound.finish();
    }

    private void end(String why) {
        if (!markClosed()) {
            return;
        }
        ignoresInput = true;
        lineTimeout.close();
        flushTimeout.close();
        sink.close();
        outbound.close();
        log("is disconnected: " + why);
        takeOpen().forEach(LineExchange::abandon);
        closeIntake();
    }

    /** False if the connection was closed before. */
    private boolean markClosed() {
        lock.lock();
        try {
            boolean isFirst = !closed;
            closed = true;
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    /** False if the connection was closed before. */
    private boolean open(Intake accepted) {
        lock.lock();
        try {
            if (!closed) {
                intake = accepted;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void deliver(LineExchange exchange) {
        Intake target;
        lock.lock();
        try {
            target = closed ? null : intake;
            if (target != null) {
                open.add(exchange);
                delivering = true;
            }
        } finally {
            lock.unlock();
        }
        if (target == null) {
            exchange.abandon();
            return;
        }
        try {
            target.received(exchange);
        } finally {
            delivered(target);
        }
    }

    private void delivered(Intake target) {
        boolean isClosed;
        lock.lock();
        try {
            delivering = false;
            isClosed = closePending;
        } finally {
            lock.unlock();
        }
        if (isClosed) {
            target.closed();
        }
    }

    /** Notifies the intake of the end: after the delivery in progress, never within it. */
    private void closeIntake() {
        Intake target;
        lock.lock();
        try {
            closePending = delivering;
            target = delivering ? null : intake;
        } finally {
            lock.unlock();
        }
        if (target != null) {
            target.closed();
        }
    }

    private List<LineExchange> takeOpen() {
        lock.lock();
        try {
            var all = List.copyOf(open);
            open.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Reports rejected input to the acceptor for the audit trail, without quoting it. */
    private void noteRejection(String kind, Map<String, String> details) {
        var receiver = acceptor;
        var count = rejections.count(kind);
        if (receiver == null || count.isEmpty()) {
            return;
        }
        var all = new HashMap<>(details);
        all.put("peer", peer.address());
        all.put("principal", peer.principal().name());
        all.put("count", Long.toString(count.getAsLong()));
        receiver.note(new AuditNote(kind, all));
    }

    private void log(String what) {
        environment.logger().log(System.Logger.Level.DEBUG, "[mcp-bridge] client {0} {1}", peer.address(), what);
    }

    /**
     * The exchange of one line of the client, or of the connection itself, which has no message. Any thread may use it.
     */
    private final class LineExchange implements Exchange {
        private final @Nullable Message message;
        private final AbandonmentHooks hooks = new AbandonmentHooks();

        private LineExchange(@Nullable Message message) {
            this.message = message;
        }

        @Override
        public Kind kind() {
            return message == null ? Kind.LISTEN : Kind.MESSAGE;
        }

        @Override
        public Optional<Message> message() {
            return Optional.ofNullable(message);
        }

        @Override
        public MessageHeaders headers() {
            return MessageHeaders.EMPTY;
        }

        @Override
        public Remote remote() {
            return Remote.over(peer.network());
        }

        @Override
        public Principal principal() {
            return peer.principal();
        }

        /** A byte stream cannot be resumed, so there is nothing to bind to a session. */
        @Override
        public void bind(String session) {}

        @Override
        public Offer offer(Message event) {
            return hooks.isSettled() ? Offer.FULL : outbound.offer(event);
        }

        @Override
        public void end(Ending ending) {
            if (!hooks.end()) {
                return;
            }
            if (!finishing) {
                ending.message().ifPresent(ClientLineConnection.this::answer);
            }
            lock.lock();
            try {
                open.remove(this);
            } finally {
                lock.unlock();
            }
            if (this == listening) {
                finish();
            } else if (ignoresInput) {
                finishIfIdle();
            }
        }

        @Override
        public void onAbandoned(Runnable action) {
            hooks.add(action);
        }

        private void abandon() {
            hooks.abandon().run();
        }

        /** Whether the client expects an answer; a stream that it listens to has none before its end. */
        private boolean isRequest() {
            return message instanceof Request request && !request.method().equals(Methods.SUBSCRIPTIONS_LISTEN);
        }
    }

    /**
     * Rejects a client that does not complete a line in time. The reading thread uses it; any thread may close it. A line
     * that arrives in one piece costs no alarm.
     */
    private final class LineTimeout {
        private final ReplaceableAlarm alarm = new ReplaceableAlarm();
        private boolean running;

        /** The current line is complete; following bytes belong to another one. */
        void frameEnded() {
            if (running) {
                running = false;
                alarm.set(Mark.EMPTY);
            }
        }

        /** Records that bytes were read, and whether a line is incomplete now. */
        void update(boolean insideFrame) {
            if (!insideFrame) {
                frameEnded();
            } else if (!running) {
                running = true;
                var timekeeper = environment.timekeeper();
                alarm.set(timekeeper.schedule(settings.frameDeadline(), this::expired));
            }
        }

        private void expired() {
            var span = settings.frameDeadline();
            reject(Failure.of(
                    ErrorCode.INVALID_REQUEST,
                    "the line is not complete after %d ms; send each line in one piece".formatted(span.toMillis())));
        }

        void close() {
            alarm.close();
        }
    }

    /** Holds one alarm; a new one replaces and cancels the old one. Any thread may use it. */
    private static final class ReplaceableAlarm {
        private final AtomicReference<Alarm> alarm = new AtomicReference<>(Mark.EMPTY);

        void set(Alarm next) {
            var before = alarm.getAndUpdate(now -> now == Mark.CLOSED ? now : next);
            var replaced = before == Mark.CLOSED ? next : before;
            replaced.cancel();
        }

        /** Cancels the alarm and every later one. */
        void close() {
            alarm.getAndSet(Mark.CLOSED).cancel();
        }
    }

    private enum Mark implements Alarm {
        EMPTY,
        CLOSED;

        @Override
        public void cancel() {}
    }
}

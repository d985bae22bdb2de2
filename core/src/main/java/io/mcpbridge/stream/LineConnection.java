package io.mcpbridge.stream;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Batch;
import io.mcpbridge.message.FrameReader;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import io.mcpbridge.spi.Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One client on a byte stream: its lines become exchanges, and what is answered becomes lines.
 *
 * <p>A listener makes one per connection, {@linkplain #start starts} it and hands over what it reads, on one
 * thread at a time ({@link #received}, {@link #halfClosed}); everything else any thread may call. It lives until
 * the wire is closed, which it does itself: {@link #lost} and {@link #close} may be called at any time.
 */
public final class LineConnection {
    private final Wire wire;
    private final Peer peer;
    private final LineContext context;
    private final FrameReader frames;
    private final FrameTimer timer;
    private final Outbox outbox;
    private final OpenExchanges exchanges = new OpenExchanges();
    private final LineExchange listening = LineExchange.listening(this);
    private final IntakeGate gate = new IntakeGate();
    private final AlarmSlot lastWords = new AlarmSlot();
    private final LineNotes notes;

    /** Whether what the client still sends is not read any more. */
    private volatile boolean deaf;

    /** Whether nothing is left to do but to write what waits. */
    private volatile boolean finishing;

    public LineConnection(Wire wire, Peer peer, LineContext context) {
        var settings = context.settings();
        this.wire = wire;
        this.peer = peer;
        this.context = context;
        this.notes = new LineNotes(peer);
        this.frames = new FrameReader(settings.limits());
        this.timer =
                new FrameTimer(settings.frameDeadline(), context.environment().timekeeper(), this::tooSlow);
        this.outbox = new Outbox(wire, settings.maxQueuedBytes(), context.budget(), new EndOfOutbox());
    }

    /**
     * Shows the peer to the acceptor and begins with the exchange that stays open as long as the connection.
     *
     * @return false if the acceptor turned the peer away; the wire is closed then
     */
    public boolean start(Acceptor acceptor) {
        notes.begin(acceptor);
        var accepted = acceptor.connected(peer);
        if (accepted.isEmpty()) {
            end("it was turned away");
            return false;
        }
        if (!gate.open(accepted.get())) {
            return false;
        }
        deliver(listening);
        return true;
    }

    /** The client sent these bytes; reads all of them. */
    public void received(ByteBuffer bytes) {
        if (deaf) {
            bytes.position(bytes.limit());
            return;
        }
        try {
            frames.feed(bytes, this::frame);
            timer.update(frames.isInsideFrame());
        } catch (ProtocolException unreadable) {
            hangUp(unreadable.failure());
        }
    }

    /** The client will send nothing more, but may still read: its calls are finished first. */
    public void halfClosed() {
        timer.close();
        endOfInput();
        deaf = true;
        // It could answer nothing, so nobody should ask it anything.
        listening.abandon();
        finishIfIdle();
    }

    /** The client is gone, or the wire is broken. */
    public void lost(String why) {
        endOfInput();
        end(why);
    }

    /** The wire takes more. */
    public void writable() {
        outbox.flush();
    }

    /** Ends the connection; what was not written by now is lost. */
    public void close() {
        end("it was closed by the bridge");
    }

    public Peer peer() {
        return peer;
    }

    Offer offer(Message event) {
        return outbox.offer(event);
    }

    void exchangeEnded(LineExchange exchange, Ending ending) {
        if (!finishing) {
            ending.message().ifPresent(this::answer);
        }
        exchanges.remove(exchange);
        if (exchange == listening) {
            finish();
        } else if (deaf) {
            finishIfIdle();
        }
    }

    private void frame(byte[] json) {
        timer.frameEnded();
        if (deaf) {
            return;
        }
        try {
            messages(json).forEach(message -> deliver(LineExchange.of(this, message)));
        } catch (ProtocolException malformed) {
            refuse(json, malformed.failure());
        }
    }

    private void endOfInput() {
        if (!deaf && frames.isInsideFrame()) {
            log("sent an incomplete last line, which is not executed");
            notes.truncated();
        }
    }

    /** What a line holds: one message, or several where the client may send batches. */
    private List<Message> messages(byte[] json) {
        var limits = context.settings().limits();
        boolean isBatch = Batch.isBatch(json) && gate.takesBatches(peer.principal());
        return isBatch ? Batch.scan(json, limits) : List.of(Message.scan(json, limits));
    }

    private void refuse(byte[] json, Failure failure) {
        notes.refused(failure, json.length);
        var id = Message.readableId(json, context.settings().limits());
        var answer = id.map(known -> JsonRpcErrors.toResponse(known, failure, ""))
                .orElseGet(() -> JsonRpcErrors.toResponse(failure));
        answer(answer);
    }

    /** An answer is never dropped: if there is no room for it, the connection ends. */
    private void answer(Message answer) {
        if (outbox.offer(answer) == Offer.FULL) {
            end("it does not read its answers: %d bytes wait, of %d at the most"
                    .formatted(outbox.waitingBytes(), context.settings().maxQueuedBytes()));
        }
    }

    private void tooSlow() {
        hangUp(Failure.of(
                ErrorCode.INVALID_REQUEST,
                "the line is not complete after %d ms; send a line at once"
                        .formatted(context.settings().frameDeadline().toMillis())));
    }

    /** Tells the client why the stream cannot be read on, and closes it. */
    private void hangUp(Failure failure) {
        deaf = true;
        timer.close();
        outbox.offer(JsonRpcErrors.toResponse(failure));
        log("was hung up on: " + failure.message());
        notes.hungUp(failure);
        exchanges.takeAll().forEach(LineExchange::abandon);
        finish();
    }

    private void finishIfIdle() {
        if (!exchanges.hasRequest()) {
            finish();
        }
    }

    /** Closes when everything is written, or when the client does not take it in time. */
    private void finish() {
        deaf = true;
        finishing = true;
        var environment = context.environment();
        lastWords.set(environment
                .timekeeper()
                .schedule(context.settings().frameDeadline(), () -> end("it did not read its last answers")));
        outbox.finish();
    }

    private void deliver(LineExchange exchange) {
        exchanges.add(exchange);
        if (!gate.deliver(exchange)) {
            exchanges.remove(exchange);
            exchange.abandon();
        }
    }

    private void end(String why) {
        if (!gate.shut()) {
            return;
        }
        deaf = true;
        timer.close();
        lastWords.close();
        wire.close();
        outbox.close();
        log("is gone: " + why);
        exchanges.takeAll().forEach(LineExchange::abandon);
        gate.tellEnd();
    }

    private void log(String what) {
        context.environment()
                .logger()
                .log(System.Logger.Level.DEBUG, "[mcp-bridge] client {0} {1}", peer.address(), what);
    }

    /** Tells the connection how its outbox ended. */
    private final class EndOfOutbox implements Outbox.Owner {

        @Override
        public void finished() {
            end("everything is answered");
        }

        @Override
        public void broken(IOException why) {
            end("writing failed: " + why.getMessage());
        }
    }
}

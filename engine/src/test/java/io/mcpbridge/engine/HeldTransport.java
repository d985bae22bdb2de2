package io.mcpbridge.engine;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A connection without a wire: a test takes what is sent and says itself what becomes of it, on its own thread.
 *
 * <p>By default it plays a server of the legacy era and answers the handshake at once. Any thread may use it.
 */
final class HeldTransport implements Transport {
    /** The default response of {@link HeldServers} to {@code initialize}. */
    public static final String WELCOME = """
        {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"held","version":"1"}}\
        """;

    /** What a {@linkplain HeldServers#modern modern} one answers to {@code server/discover}. */
    public static final String DISCOVERED = """
        {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,\
        "cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"held","version":"2"}}}\
        """;

    /** What it says by itself when a connection begins. */
    enum Manner {
        /** It does not know {@code server/discover} and answers the handshake. */
        GREETS,
        /** It does not know {@code server/discover}; the test answers the handshake. */
        WAITS,
        /** It answers {@code server/discover}, as servers of the modern era do. */
        MODERN,
        /** The test answers everything. */
        SILENT
    }

    private final @Nullable BridgeException unreachable;
    private final Manner manner;
    private final String capabilities;
    private final TransportTraits.Shape shape;
    private final List<Outgoing> sent = new CopyOnWriteArrayList<>();
    private final List<Outgoing> unwritten = new CopyOnWriteArrayList<>();
    private final List<Outgoing> abandoned = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile Runnable closing = () -> {};
    private volatile Runnable hangingUp = () -> {};
    private volatile boolean isKilled;
    private volatile boolean isHungUp;
    private volatile @Nullable Receiver receiver;

    HeldTransport(
            @Nullable BridgeException unreachable, Manner manner, String capabilities, TransportTraits.Shape shape) {
        this.unreachable = unreachable;
        this.manner = manner;
        this.capabilities = capabilities;
        this.shape = shape;
    }

    @Override
    public void open(Receiver newReceiver, Deadline deadline) {
        if (unreachable != null) {
            throw unreachable;
        }
        receiver = newReceiver;
    }

    @Override
    public void send(Outgoing out) {
        unwritten.add(out);
        sent.add(out);
        if (out.message() instanceof Request request) {
            begin(out, request);
        }
    }

    private void begin(Outgoing out, Request request) {
        var isQuestion = request.method().equals(Methods.SERVER_DISCOVER);
        if (isQuestion && manner == Manner.MODERN) {
            answer(out, declaring(DISCOVERED));
        } else if (isQuestion && manner != Manner.SILENT) {
            write(out);
            receive(Response.error(request.id(), -32601, "Method not found"));
        } else if (request.method().equals(Methods.INITIALIZE) && manner == Manner.GREETS) {
            answer(out, declaring(WELCOME));
        }
    }

    private String declaring(String result) {
        return result.replace("{\"tools\":{}}", capabilities);
    }

    @Override
    public boolean abandon(Outgoing out, String reason) {
        abandoned.add(out);
        return unwritten.remove(out);
    }

    @Override
    public TransportTraits traits() {
        return TransportTraits.of(shape, "pipe", "held");
    }

    /** Lets something happen while it is being closed, which takes a real one its time. */
    public void whileClosing(Runnable action) {
        closing = action;
    }

    @Override
    public void close() {
        closing.run();
        end(Closed.byUs());
    }

    /** Runs an action during the request to end, before the close. */
    public void whileHangingUp(Runnable action) {
        hangingUp = action;
    }

    @Override
    public void hangUp() {
        isHungUp = true;
        hangingUp.run();
    }

    /** Whether its end was requested; the close follows. */
    public boolean isHungUp() {
        return isHungUp;
    }

    @Override
    public void closeAtOnce() {
        isKilled = true;
        close();
    }

    /** Everything that was sent so far but the handshake and {@code server/discover}. */
    public List<Outgoing> sent() {
        return sent.stream().filter(out -> !isHandshake(out.message())).toList();
    }

    /** The requests among {@link #sent}. */
    public List<Outgoing> requests() {
        return sent().stream().filter(out -> out.message() instanceof Request).toList();
    }

    /** Every message that was sent so far, the handshake included. */
    public List<Message> messages() {
        return sent.stream().map(Outgoing::message).toList();
    }

    /** The abandoned requests, written or not. */
    public List<Outgoing> abandoned() {
        return List.copyOf(abandoned);
    }

    public boolean isClosed() {
        return isClosed.get();
    }

    /** Whether it was ended at once. */
    public boolean isKilled() {
        return isKilled;
    }

    /** The last request that was sent. */
    public Outgoing last() {
        var all = requests();
        if (all.isEmpty()) {
            throw new AssertionError("no request was sent, only " + messages());
        }
        return all.get(all.size() - 1);
    }

    /** The last request of the handshake, {@code initialize} or {@code server/discover}. */
    public Outgoing handshake() {
        return sent.stream()
                .filter(out -> out.message() instanceof Request && isHandshake(out.message()))
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new AssertionError("there was no handshake, only " + messages()));
    }

    /** Reports that the first byte is about to be written, unless the request was abandoned. */
    public void write(Outgoing out) {
        if (unwritten.remove(out)) {
            receiver().writing(out);
        }
    }

    /** Writes and answers a request with a result. */
    public void answer(Outgoing out, String resultJson) {
        write(out);
        receive(Response.result(((Request) out.message()).id(), resultJson));
    }

    /** Lets a message come from the server. */
    public void receive(Message message) {
        receiver().message(message, Optional.empty());
    }

    /** Lets one request fail. */
    public void fail(Outgoing out, RequestFailure why) {
        unwritten.remove(out);
        receiver().failed(out, why);
    }

    /** Ends the connection; once. */
    public void end(Closed why) {
        if (isClosed.compareAndSet(false, true)) {
            Stream.ofNullable(receiver).forEach(told -> told.closed(why));
        }
    }

    /** The receiver of what comes. */
    public Receiver receiver() {
        return Objects.requireNonNull(receiver, "the transport was not opened");
    }

    private static boolean isHandshake(Message message) {
        return message.json().contains("\"" + Methods.INITIALIZE + "\"")
                || message.json().contains("\"" + Methods.INITIALIZED + "\"")
                || message.json().contains("\"" + Methods.SERVER_DISCOVER + "\"");
    }
}

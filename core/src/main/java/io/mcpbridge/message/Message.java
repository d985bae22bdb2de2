package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One JSON-RPC message: its bytes, and where in them the {@linkplain MessageField parts} lie that the bridge looks at.
 *
 * <p>{@link #scan} makes one of a frame that came in; {@link Request}, {@link Notification} and
 * {@link Response} make one of parts. The bytes are strict UTF-8, hold one JSON object and contain no
 * CR or LF, so any message may be sent over a transport that frames by lines. Immutable: a change is
 * a {@link #splice}, which makes another message.
 */
public abstract sealed class Message permits Request, Notification, Response {

    private final byte[] json;
    private final Spans spans;

    Message(byte[] json, Spans spans) {
        this.json = json;
        this.spans = spans;
    }

    /**
     * Checks a frame and finds its parts, in one pass.
     *
     * <p>Takes the array over: each CR and LF between tokens becomes a space in place. Surrogate escapes
     * that stand alone, such as {@code \ud800}, are legal JSON and pass in values, but not in keys, ids and
     * methods: those are compared, and other readers may see another text there.
     *
     * @param json the frame, which the caller may not use any more
     * @throws ProtocolException if the frame is not JSON, not JSON-RPC, or beyond a limit
     */
    public static Message scan(byte[] json, Limits limits) {
        return of(json, EnvelopeScanner.scan(json, limits));
    }

    /**
     * The id of a request that {@link #scan} has refused, so that the refusal can be sent to its sender.
     *
     * <p>For the error path only. Empty unless one id is readable and nothing says that the frame is a
     * response, whose id would be ours and not the sender's.
     */
    public static Optional<MessageId> readableId(byte[] json, Limits limits) {
        return RefusedFrame.read(json, limits).filter(RefusedFrame::isRequest).flatMap(RefusedFrame::id);
    }

    /**
     * The id of the request that a frame seems to answer which {@link #scan} has refused, so that the request
     * can be failed at once.
     *
     * <p>For the error path only. Empty unless one id is readable and nothing says that the frame is a
     * request, whose id would be the sender's and not ours.
     */
    public static Optional<MessageId> readableAnswerId(byte[] json, Limits limits) {
        return RefusedFrame.read(json, limits).filter(RefusedFrame::isAnswer).flatMap(RefusedFrame::id);
    }

    /** The message that these parts make, if JSON-RPC allows it. */
    static Message of(byte[] json, Spans spans) {
        var rules = new EnvelopeRules(json, spans);
        rules.requireVersion();
        if (!spans.has(MessageField.METHOD.slot())) {
            return new Response(json, spans, rules.responseId());
        }
        String method = rules.method();
        return spans.has(MessageField.ID.slot())
                ? new Request(json, spans, rules.id(), method)
                : new Notification(json, spans, method);
    }

    /** The number of bytes. */
    public int length() {
        return json.length;
    }

    /** Copies the bytes into a buffer that has room for {@link #length} of them. */
    public void writeTo(ByteBuffer target) {
        target.put(json);
    }

    /** A view of the bytes that cannot be written through. */
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(json).asReadOnlyBuffer();
    }

    /** The whole text. */
    public String json() {
        return new String(json, UTF_8);
    }

    /** Whether the part is there. */
    public boolean has(MessageField part) {
        return spans.has(slot(part));
    }

    /** Where the value of the part begins, or -1 if it is absent. */
    public int start(MessageField part) {
        return has(part) ? spans.start(slot(part)) : -1;
    }

    /** Where the value of the part ends (the byte after its last one), or -1 if it is absent. */
    public int end(MessageField part) {
        return has(part) ? spans.end(slot(part)) : -1;
    }

    /** The JSON text of the part as it stands in the message. */
    public Optional<String> raw(MessageField part) {
        return has(part)
                ? Optional.of(new String(json, start(part), end(part) - start(part), UTF_8))
                : Optional.empty();
    }

    /** The decoded value of the part if it is a JSON string, else empty. */
    public Optional<String> text(MessageField part) {
        if (!has(part) || json[start(part)] != '"') {
            return Optional.empty();
        }
        return Optional.of(JsonStrings.decode(json, start(part) + 1, end(part) - 1));
    }

    /** Begins a changed copy. */
    public Splice splice() {
        return new Splice(this);
    }

    /** Which slot of {@link #spans} holds the part. */
    int slot(MessageField part) {
        return part.slot();
    }

    /** The bytes themselves; not to be changed. */
    final byte[] array() {
        return json;
    }

    final Spans spans() {
        return spans;
    }

    /** Looks for an id in a frame that is not a message. */
    private static final class RefusedFrame {

        private final byte[] json;
        private final JsonScanner scanner;
        private final Spans spans = new Spans();
        private boolean hasTwoIds;
        private boolean hasOutcome;
        private boolean isWhole;

        private RefusedFrame(byte[] json, Limits limits) {
            this.json = json;
            this.scanner = new JsonScanner(json, limits);
        }

        static Optional<RefusedFrame> read(byte[] json, Limits limits) {
            if (json.length > limits.maxBytes()) {
                return Optional.empty();
            }
            var frame = new RefusedFrame(json, limits);
            frame.read();
            return Optional.of(frame);
        }

        private void read() {
            int open = scanner.space(afterByteOrderMark());
            if (scanner.byteAt(open) != '{') {
                return;
            }
            try {
                scanner.object(open, 1, this::member);
                isWhole = true;
            } catch (ProtocolException e) {
                isWhole = false;
            }
        }

        /** A mark at the beginning is what is wrong, and hides nothing. */
        private int afterByteOrderMark() {
            return json.length > 2 && json[0] == (byte) 0xEF && json[1] == (byte) 0xBB && json[2] == (byte) 0xBF
                    ? 3
                    : 0;
        }

        private int member(int keyStart, int keyEnd, int value) {
            int slot = FieldNumbers.of(Scope.TOP, JsonStrings.decode(json, keyStart, keyEnd));
            // Before its value, in which the frame may break off.
            hasOutcome |= slot == MessageField.RESULT.slot() || slot == MessageField.ERROR.slot();
            int end = scanner.value(value, 1);
            hasTwoIds |= slot == MessageField.ID.slot() && spans.has(slot);
            if (slot != FieldNumbers.NONE) {
                spans.set(slot, value, end);
            }
            return end;
        }

        /** A frame that broke off counts as a request only if its method was seen. */
        private boolean isRequest() {
            return !hasOutcome && (isWhole || spans.has(MessageField.METHOD.slot()));
        }

        /** A frame that broke off counts as an answer only if a result or an error was begun. */
        private boolean isAnswer() {
            return !spans.has(MessageField.METHOD.slot()) && (isWhole || hasOutcome);
        }

        private Optional<MessageId> id() {
            if (hasTwoIds || !spans.has(MessageField.ID.slot())) {
                return Optional.empty();
            }
            try {
                return Optional.of(new EnvelopeRules(json, spans).id());
            } catch (ProtocolException e) {
                return Optional.empty();
            }
        }
    }
}

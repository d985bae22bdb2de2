package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FieldNumbers.Scope;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One JSON-RPC message: its bytes, and the positions of its {@linkplain MessageField fields}.
 *
 * <p>{@link #scan} parses a received frame; {@link Request}, {@link Notification} and {@link Response} build a message
 * from its parts. The bytes are strict UTF-8, contain one JSON object and no CR or LF, so any message can be sent over
 * a line-framed transport. Immutable: {@link #splice} creates a changed copy.
 */
public abstract sealed class Message permits Request, Notification, Response {

    /** The maximum number of messages in one batch. */
    public static final int MAX_BATCH = 100;

    private final byte[] json;
    private final Spans spans;

    Message(byte[] json, Spans spans) {
        this.json = json;
        this.spans = spans;
    }

    /**
     * Checks a frame and finds its fields, in one pass.
     *
     * <p>Takes ownership of the array: each CR and LF between tokens is replaced by a space in place. Escapes of lone
     * surrogates, such as {@code \ud800}, are legal JSON and are accepted in values, but not in keys, ids and methods:
     * the bridge compares those, and other readers may decode them differently.
     *
     * @param json the frame, which the caller must not use any more
     * @throws ProtocolException if the frame is not JSON, not JSON-RPC, or exceeds a limit
     */
    public static Message scan(byte[] json, Limits limits) {
        return of(json, EnvelopeScanner.scan(json, limits));
    }

    /**
     * A message of the {@linkplain #member members} before, and a last one of any JSON value.
     *
     * @throws IllegalArgumentException if that is not one JSON value
     */
    static Message of(String membersBefore, MessageField last, String rawValue) {
        return of("{\"jsonrpc\":\"2.0\"" + membersBefore + ",\"" + last.key() + "\":" + rawValue.strip() + "}", last);
    }

    /** The message with this text, which ends with the value of {@code last} and a brace. */
    static Message of(String json, MessageField last) {
        try {
            var message = scan(json.getBytes(UTF_8), Limits.OWN);
            if (message.end(last) < message.length() - 1) {
                throw new IllegalArgumentException(
                        "'%s' has more text than one JSON value, or space behind it".formatted(last.key()));
            }
            return message;
        } catch (ProtocolException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The text of a member, with the comma before it. */
    static String member(MessageField part, String rawValue) {
        return ",\"" + part.key() + "\":" + rawValue;
    }

    /** Whether the frame is a batch: several messages in one JSON array, which only revision 2025-03-26 has. */
    public static boolean isBatch(byte[] json) {
        int at = 0;
        while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) {
            at++;
        }
        return at < json.length && json[at] == '[';
    }

    /**
     * Splits a JSON-RPC batch into its messages. Takes ownership of the array.
     *
     * @param limits for the frame as a whole and for each message in it
     * @throws ProtocolException if the frame is not an array of 1 to {@value #MAX_BATCH} messages of the legacy era
     */
    public static List<Message> scanBatch(byte[] json, Limits limits) {
        if (json.length > limits.maxBytes()) {
            throw ProtocolErrors.tooLarge(limits);
        }
        var messages = new ArrayList<Message>();
        for (var element : batchElements(json, limits)) {
            var message = scan(element, limits);
            if (message.has(MessageField.PROTOCOL_VERSION)) {
                throw ProtocolErrors.request("A message of the modern era stands in a batch; send it alone");
            }
            messages.add(message);
        }
        return messages;
    }

    private static List<byte[]> batchElements(byte[] json, Limits limits) {
        var scanner = new JsonScanner(json, limits);
        var elements = new ArrayList<byte[]>();
        int end = scanner.elements(
                scanner.space(0), MAX_BATCH, (from, to) -> elements.add(Arrays.copyOfRange(json, from, to)));
        if (elements.isEmpty()) {
            throw ProtocolErrors.request("The batch is empty; it must have at least one message");
        }
        if (end < 0) {
            throw ProtocolErrors.limit(
                    "The batch has more than %d messages".formatted(MAX_BATCH), "maxBatch", MAX_BATCH);
        }
        scanner.requireEnd(end);
        return elements;
    }

    /**
     * The id of a request that {@link #scan} rejected, so that the error can be sent to its sender.
     *
     * <p>For the error path only. Empty unless the frame has exactly one readable id and is not recognizable as a
     * response, whose id the bridge assigned rather than the sender.
     */
    public static Optional<MessageId> readableId(byte[] json, Limits limits) {
        return RefusedFrame.read(json, limits).filter(RefusedFrame::isRequest).flatMap(RefusedFrame::id);
    }

    /**
     * The id of the request that a frame seems to answer, if {@link #scan} rejected the frame. The caller can then fail
     * the request at once.
     *
     * <p>For the error path only. Empty unless the frame has exactly one readable id and is not recognizable as a
     * request, whose id the sender assigned rather than the bridge.
     */
    public static Optional<MessageId> readableAnswerId(byte[] json, Limits limits) {
        return RefusedFrame.read(json, limits).filter(RefusedFrame::isAnswer).flatMap(RefusedFrame::id);
    }

    /** Returns the message with these fields, after checking the rules of JSON-RPC. */
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

    /** A read-only view of the bytes. */
    public ByteBuffer bytes() {
        return ByteBuffer.wrap(json).asReadOnlyBuffer();
    }

    /** The whole text. */
    public String json() {
        return new String(json, UTF_8);
    }

    /** Whether the message has the field. */
    public boolean has(MessageField part) {
        return spans.has(slot(part));
    }

    /** The index of the first byte of the field's value, or -1 if it is absent. */
    public int start(MessageField part) {
        return has(part) ? spans.start(slot(part)) : -1;
    }

    /** The index after the last byte of the field's value, or -1 if it is absent. */
    public int end(MessageField part) {
        return has(part) ? spans.end(slot(part)) : -1;
    }

    /** The JSON text of the field, exactly as in the message; empty if it is absent. */
    public Optional<String> raw(MessageField part) {
        return has(part)
                ? Optional.of(new String(json, start(part), end(part) - start(part), UTF_8))
                : Optional.empty();
    }

    /** The decoded value of the field if it is a JSON string, else empty. */
    public Optional<String> text(MessageField part) {
        if (!has(part) || json[start(part)] != '"') {
            return Optional.empty();
        }
        return Optional.of(JsonStrings.decode(json, start(part) + 1, end(part) - 1));
    }

    /** Starts a changed copy. */
    public Splice splice() {
        return new Splice(this);
    }

    /** The slot of the field in {@link #spans}. */
    int slot(MessageField part) {
        return part.slot();
    }

    /** The internal array, which must not be modified. */
    final byte[] array() {
        return json;
    }

    final Spans spans() {
        return spans;
    }

    /** Looks for an id in a frame that was rejected. */
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

        /** Skips a byte order mark, which is an error but does not hide the id. */
        private int afterByteOrderMark() {
            return json.length > 2 && json[0] == (byte) 0xEF && json[1] == (byte) 0xBB && json[2] == (byte) 0xBF
                    ? 3
                    : 0;
        }

        private int member(int keyStart, int keyEnd, int value) {
            int slot = FieldNumbers.of(Scope.TOP, JsonStrings.decode(json, keyStart, keyEnd));
            // Set before the value is read, since the frame may end within it.
            hasOutcome |= slot == MessageField.RESULT.slot() || slot == MessageField.ERROR.slot();
            int end = scanner.value(value, 1);
            hasTwoIds |= slot == MessageField.ID.slot() && spans.has(slot);
            if (slot != FieldNumbers.NONE) {
                spans.set(slot, value, end);
            }
            return end;
        }

        /** A truncated frame counts as a request only if it has a method. */
        private boolean isRequest() {
            return !hasOutcome && (isWhole || spans.has(MessageField.METHOD.slot()));
        }

        /** A truncated frame counts as a response only if it has the key of a result or an error. */
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

package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import java.util.Optional;

/** Looks for an id in a frame that is not a message. */
final class RefusedFrame {

    private final byte[] json;
    private final Limits limits;
    private final JsonScanner scanner;
    private final Spans spans = new Spans();
    private boolean hasTwoIds;
    private boolean hasOutcome;
    private boolean isWhole;

    private RefusedFrame(byte[] json, Limits limits) {
        this.json = json;
        this.limits = limits;
        this.scanner = new JsonScanner(json, limits);
    }

    /** What {@link Message#readableId} promises. */
    static Optional<MessageId> readableId(byte[] json, Limits limits) {
        var frame = read(json, limits);
        return frame.filter(RefusedFrame::isRequest).flatMap(RefusedFrame::id);
    }

    /** What {@link Message#readableAnswerId} promises. */
    static Optional<MessageId> readableAnswerId(byte[] json, Limits limits) {
        var frame = read(json, limits);
        return frame.filter(RefusedFrame::isAnswer).flatMap(RefusedFrame::id);
    }

    private static Optional<RefusedFrame> read(byte[] json, Limits limits) {
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
        return json.length > 2 && json[0] == (byte) 0xEF && json[1] == (byte) 0xBB && json[2] == (byte) 0xBF ? 3 : 0;
    }

    private int member(int keyStart, int keyEnd, int value) {
        int slot = Slots.of(Scope.TOP, JsonText.decode(json, keyStart, keyEnd));
        // Before its value, in which the frame may break off.
        hasOutcome |= slot == Part.RESULT.slot() || slot == Part.ERROR.slot();
        int end = scanner.value(value, 1);
        hasTwoIds |= slot == Part.ID.slot() && spans.has(slot);
        if (slot != Slots.NONE) {
            spans.set(slot, value, end);
        }
        return end;
    }

    /** A frame that broke off counts as a request only if its method was seen. */
    private boolean isRequest() {
        return !hasOutcome && (isWhole || spans.has(Part.METHOD.slot()));
    }

    /** A frame that broke off counts as an answer only if a result or an error was begun. */
    private boolean isAnswer() {
        return !spans.has(Part.METHOD.slot()) && (isWhole || hasOutcome);
    }

    private Optional<MessageId> id() {
        if (hasTwoIds || !spans.has(Part.ID.slot())) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Classifier(json, spans, limits).id());
        } catch (ProtocolException e) {
            return Optional.empty();
        }
    }
}

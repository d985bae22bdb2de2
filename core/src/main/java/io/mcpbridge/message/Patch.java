package io.mcpbridge.message;

import io.mcpbridge.failure.ProtocolException;
import java.util.Comparator;
import java.util.List;

/** Applies edits that do not overlap: copies once, and moves the spans instead of scanning again. */
final class Patch {

    private final Message source;
    private final List<Edit> edits;
    private final Spans spans = new Spans();

    Patch(Message source, List<Edit> edits) {
        this.source = source;
        this.edits = edits;
        edits.sort(Comparator.comparingInt(Edit::start));
    }

    /** The changed message. */
    Message apply() {
        moveSpans();
        byte[] json = copy();
        try {
            return new Classifier(json, spans, Limits.OWN).message();
        } catch (ProtocolException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void moveSpans() {
        var old = source.spans();
        for (int slot = old.next(0); slot != Spans.NONE; slot = old.next(slot + 1)) {
            int start = old.start(slot);
            int end = old.end(slot);
            if (!isCovered(start, end)) {
                spans.set(slot, movedStart(start), movedEnd(end));
            }
        }
    }

    private byte[] copy() {
        byte[] from = source.array();
        byte[] to = new byte[movedEnd(from.length)];
        int read = 0;
        int written = 0;
        for (Edit edit : edits) {
            int kept = edit.start() - read;
            System.arraycopy(from, read, to, written, kept);
            edit.note(spans, written + kept);
            written = edit.write(to, written + kept);
            read = edit.end();
        }
        System.arraycopy(from, read, to, written, from.length - read);
        return to;
    }

    private boolean isCovered(int start, int end) {
        for (Edit edit : edits) {
            if (edit.start() <= start && end <= edit.end()) {
                return true;
            }
        }
        return false;
    }

    private int movedStart(int start) {
        int moved = start;
        for (Edit edit : edits) {
            moved += edit.end() <= start ? edit.growth() : 0;
        }
        return moved;
    }

    /** An insertion at an end lies behind it; a change inside moves it. */
    private int movedEnd(int end) {
        int moved = end;
        for (Edit edit : edits) {
            moved += edit.start() < end ? edit.growth() : 0;
        }
        return moved;
    }
}

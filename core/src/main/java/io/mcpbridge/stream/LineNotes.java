package io.mcpbridge.stream;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Occurrences;
import io.mcpbridge.spi.Peer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells the acceptor what a client sent that was not acted on, without a word of it. Any thread may use it. */
final class LineNotes {
    private final Peer peer;
    private final Occurrences occurrences = new Occurrences();
    private volatile @Nullable Acceptor acceptor;

    LineNotes(Peer peer) {
        this.peer = peer;
    }

    /** From now on this acceptor hears of it. */
    void begin(Acceptor newAcceptor) {
        acceptor = newAcceptor;
    }

    /** The stream ended within a line. */
    void truncated() {
        note(AuditNote.LINE_TRUNCATED, Map.of());
    }

    /** A line is no message. What is wrong with it may quote it, so only the kind of mistake is told. */
    void refused(Failure why, int length) {
        note(AuditNote.FRAME_REFUSED, Map.of("code", why.code().name(), "bytes", Integer.toString(length)));
    }

    /** The stream cannot be read on; the reason speaks of limits only. */
    void hungUp(Failure why) {
        note(AuditNote.FRAME_REFUSED, Map.of("code", why.code().name(), "reason", why.message()));
    }

    private void note(String kind, Map<String, String> details) {
        var told = acceptor;
        var count = occurrences.count(kind);
        if (told == null || count.isEmpty()) {
            return;
        }
        var all = new HashMap<>(details);
        all.put("peer", peer.address());
        all.put("principal", peer.principal().name());
        all.put("count", Long.toString(count.getAsLong()));
        told.note(new AuditNote(kind, all));
    }
}

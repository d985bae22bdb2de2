package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The era of one server, as its last discovery or handshake showed it; all of its connections share it. Any thread.
 *
 * <p>A new connection assumes the era that is remembered and skips the discovery. It asks anew once the server has
 * contradicted the era, and after 24 hours: a server of both eras also accepts the handshake, so a wrong verdict for the
 * legacy era never shows by itself.
 */
public final class EraMemory {
    private static final Duration EXPIRY = Duration.ofHours(24);

    private record Entry(Verdict verdict, long until) {}

    private final Timekeeper timekeeper;
    private volatile @Nullable Entry entry;
    private volatile boolean isContradicted;

    public EraMemory(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** The era that the next connection may assume. */
    public Optional<Era> known() {
        var current = entry;
        return current == null || isContradicted || current.until - timekeeper.nanoTime() <= 0
                ? Optional.empty()
                : Optional.of(current.verdict.era());
    }

    /** The last verdict, expired or not, for operators. */
    public Optional<Verdict> last() {
        return Optional.ofNullable(entry).map(Entry::verdict);
    }

    /** Remembers that a connection found out this version. One that only assumed the era confirms nothing. */
    void remember(ProtocolVersion version, Evidence evidence) {
        var before = entry;
        var since = before != null && before.verdict.era() == version.era() ? before.verdict.since() : timekeeper.now();
        entry = new Entry(new Verdict(version, evidence, since), timekeeper.nanoTime() + EXPIRY.toNanos());
        isContradicted = false;
    }

    /** The server contradicted its era, so the next connection asks again. */
    public void doubt() {
        isContradicted = true;
    }

    /**
     * The era of a server, and what it was concluded from. Immutable.
     *
     * @param version the revision that the server speaks with us
     * @param evidence what showed it
     * @param since when the era was found out first
     */
    public record Verdict(ProtocolVersion version, Evidence evidence, Instant since) {

        public Era era() {
            return version.era();
        }
    }

    /** What can show the era of a server. */
    public enum Evidence {
        /** The configuration says so; the server was not asked. */
        CONFIGURED,
        /** It answered {@code server/discover}. */
        DISCOVERED,
        /** It answered {@code server/discover} with an error that servers of the legacy era give. */
        REFUSED,
        /** It did not answer {@code server/discover}, but the handshake. */
        SILENT,
        /** It ended at {@code server/discover}, but answered the handshake after a restart. */
        ENDED;

        /** The word for it in reports. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

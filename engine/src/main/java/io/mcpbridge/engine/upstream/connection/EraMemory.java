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
 * Remembers the era of one server from its last discovery or handshake, for all of its connections. Any thread.
 *
 * <p>A new connection assumes the remembered era and skips the discovery. The era is forgotten when the server
 * contradicts it, and after 24 hours: a server of both eras also accepts the legacy handshake, so it never contradicts
 * a wrong verdict for the legacy era.
 */
public final class EraMemory {
    private static final Duration EXPIRY = Duration.ofHours(24);

    private final Timekeeper timekeeper;
    private volatile @Nullable Verdict verdict;

    /** When the verdict expires. */
    private volatile long until;

    public EraMemory(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.until = timekeeper.nanoTime();
    }

    /** Returns the era that the next connection may assume. */
    public Optional<Era> known() {
        return until - timekeeper.nanoTime() > 0 ? last().map(Verdict::era) : Optional.empty();
    }

    /** Returns the last verdict, expired or not, for operators. */
    public Optional<Verdict> last() {
        return Optional.ofNullable(verdict);
    }

    /** Remembers a detected version. Not called for a connection that only assumed the era, which confirms nothing. */
    void remember(ProtocolVersion version, Evidence evidence) {
        var since = last().filter(before -> before.era() == version.era())
                .map(Verdict::since)
                .orElseGet(timekeeper::now);
        verdict = new Verdict(version, evidence, since);
        until = timekeeper.nanoTime() + EXPIRY.toNanos();
    }

    /** Notes that the server contradicted its era, so that the next connection runs the discovery again. */
    public void doubt() {
        until = timekeeper.nanoTime();
    }

    /**
     * The era of a server and the evidence for it. Immutable.
     *
     * @param version the revision that the server speaks with us
     * @param evidence the evidence for the era
     * @param since when the era was first detected
     */
    public record Verdict(ProtocolVersion version, Evidence evidence, Instant since) {

        public Era era() {
            return version.era();
        }
    }

    /** The kinds of evidence for the era of a server. */
    public enum Evidence {
        /** The configuration sets the era; there was no discovery. */
        CONFIGURED,
        /** It answered {@code server/discover}. */
        DISCOVERED,
        /** It answered {@code server/discover} with an error that is typical of legacy servers. */
        REFUSED,
        /** It did not answer {@code server/discover}, but the handshake. */
        SILENT,
        /** It ended at {@code server/discover}, but answered the handshake after a restart. */
        ENDED;

        /** Returns the word for reports. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

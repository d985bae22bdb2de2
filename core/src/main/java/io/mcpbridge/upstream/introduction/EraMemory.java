package io.mcpbridge.upstream.introduction;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.upstream.introduction.EraVerdict.Evidence;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one server's era, over all of its connections. Any thread may use it.
 *
 * <p>A verdict lapses, since a wrong one for the legacy era would never show: a server of both eras is happy with it.
 */
public final class EraMemory {
    static final Duration EXPIRY = Duration.ofHours(24);

    private record Entry(EraVerdict verdict, long until) {}

    private final Timekeeper timekeeper;
    private volatile @Nullable Entry entry;
    private volatile boolean isDoubted;

    public EraMemory(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** The era that the next connection may take for granted. */
    public Optional<Era> known() {
        var current = entry;
        return current == null || isDoubted || current.until - timekeeper.nanoTime() <= 0
                ? Optional.empty()
                : Optional.of(current.verdict.era());
    }

    /** The last verdict, lapsed or not, for operators. */
    public Optional<EraVerdict> last() {
        return Optional.ofNullable(entry).map(Entry::verdict);
    }

    /** A session began in the era of this version. One that took the era for granted confirms nothing. */
    void settle(ProtocolVersion version, Evidence evidence) {
        var before = entry;
        var since = before != null && before.verdict.era() == version.era() ? before.verdict.since() : timekeeper.now();
        entry = new Entry(new EraVerdict(version, evidence, since), timekeeper.nanoTime() + EXPIRY.toNanos());
        isDoubted = false;
    }

    /** The server did not behave as its era has it, so the next connection asks again. */
    public void doubt() {
        isDoubted = true;
    }
}

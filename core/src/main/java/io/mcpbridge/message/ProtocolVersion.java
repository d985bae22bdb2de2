package io.mcpbridge.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A revision of the Model Context Protocol, such as {@code 2025-11-25}.
 *
 * <p>Peers may name revisions that this bridge does not know, so any text that is not blank is a valid value.
 * The bridge supports those in {@link #KNOWN}.
 *
 * @param text the revision as it is written on the wire
 */
public record ProtocolVersion(String text) {

    /** The first published revision. */
    public static final ProtocolVersion V2024_11_05 = new ProtocolVersion("2024-11-05");

    /** The revision that added Streamable HTTP, and the only one with batches. */
    public static final ProtocolVersion V2025_03_26 = new ProtocolVersion("2025-03-26");

    /** The revision that added elicitation and structured tool results. */
    public static final ProtocolVersion V2025_06_18 = new ProtocolVersion("2025-06-18");

    /** The last revision with a handshake. */
    public static final ProtocolVersion V2025_11_25 = new ProtocolVersion("2025-11-25");

    /** The first revision without a handshake. */
    public static final ProtocolVersion V2026_07_28 = new ProtocolVersion("2026-07-28");

    /** The revision to propose to a peer of the legacy era. */
    public static final ProtocolVersion LATEST_LEGACY = V2025_11_25;

    /** The newest revision known. */
    public static final ProtocolVersion LATEST = V2026_07_28;

    /** All supported revisions, oldest first. */
    public static final List<ProtocolVersion> KNOWN =
            List.of(V2024_11_05, V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28);

    public ProtocolVersion {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "A protocol version is blank but must name a revision such as 2025-11-25");
        }
    }

    /**
     * The era of this revision.
     *
     * <p>Revisions are dates and are compared as texts: those before 2026-07-28 are legacy.
     */
    public Era era() {
        return text.compareTo("2026-07-28") < 0 ? Era.LEGACY : Era.MODERN;
    }

    /** Written out, like {@link #hashCode}: what the JDK makes of a record at its first use delays the start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProtocolVersion version && text.equals(version.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}

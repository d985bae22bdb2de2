package io.mcpbridge.spi;

import java.util.Map;

/**
 * Something beside tool calls that the trail must show.
 *
 * @param kind a stable word, such as {@code peer-refused}
 * @param details what belongs to it; no secrets. Where outsiders can bring it about as often as they like, only the
 *     1st, 2nd, 4th, 8th … time is noted, and {@code count} says how often it has happened by then
 */
public record AuditNote(String kind, Map<String, String> details) {
    /** Somebody was not let in; {@code user} and {@code reason} say who and why. */
    public static final String PEER_REFUSED = "peer-refused";

    /** Connections without purpose were pushed out, or there is no room for more. */
    public static final String CONNECTION_FLOOD = "connection-flood";

    /** A stream ended within a line, which was not executed. */
    public static final String LINE_TRUNCATED = "line-truncated";

    /** Something came that is no message, or too large, or too slow; it was not executed. */
    public static final String FRAME_REFUSED = "frame-refused";

    /** Somebody did not read what waited for it and lost its connection; {@code reason} says how slow it was. */
    public static final String SLOW_READER = "slow-reader";

    /** A server lists tools that nobody has approved as they are; {@code count} says how many, {@code tools} which first. */
    public static final String TOOL_QUARANTINED = "tool-quarantined";

    /** A server lists tools that an operator should look at, and that may be called; told in the same way. */
    public static final String TOOL_FLAGGED = "tool-flagged";

    /** Records are missing here, since there was no room for them; {@code lost} says how many. */
    public static final String GAP = "gap";

    public AuditNote {
        details = Map.copyOf(details);
    }
}

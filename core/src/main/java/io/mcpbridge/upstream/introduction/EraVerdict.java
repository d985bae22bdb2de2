package io.mcpbridge.upstream.introduction;

import io.mcpbridge.message.Era;
import io.mcpbridge.message.ProtocolVersion;
import java.time.Instant;
import java.util.Locale;

/**
 * In which era a server is spoken with, and what that was concluded from. Immutable.
 *
 * @param version the revision that is spoken
 * @param evidence what showed it
 * @param since when it was found out first
 */
public record EraVerdict(ProtocolVersion version, Evidence evidence, Instant since) {

    /** What can show in which era a server is at home. */
    public enum Evidence {
        /** The configuration says so; the server was not asked. */
        CONFIGURED,
        /** It answered {@code server/discover}. */
        DISCOVERED,
        /** It answered {@code server/discover} with an error that servers of the legacy era give. */
        REFUSED,
        /** It said nothing to {@code server/discover}, but shook hands. */
        SILENT,
        /** It ended when it was sent {@code server/discover}, but shook hands when it was started anew. */
        ENDED;

        /** The word for it in reports. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Era era() {
        return version.era();
    }
}

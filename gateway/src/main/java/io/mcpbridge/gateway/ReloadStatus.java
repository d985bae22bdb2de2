package io.mcpbridge.gateway;

import java.time.Instant;
import java.util.Optional;

/**
 * The result of the last reload of a daemon.
 *
 * @param error why the configuration was refused, or the empty string if it is in force
 * @param refusedAt when it was refused
 */
public record ReloadStatus(String error, Optional<Instant> refusedAt) {
    /** The last configuration is in force. */
    static final ReloadStatus APPLIED = new ReloadStatus("", Optional.empty());

    static ReloadStatus refused(String error, Instant now) {
        return new ReloadStatus(error, Optional.of(now));
    }
}

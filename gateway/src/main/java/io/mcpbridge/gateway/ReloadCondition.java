package io.mcpbridge.gateway;

import java.time.Instant;
import java.util.Optional;

/**
 * What became of the configuration that a daemon was last told to take.
 *
 * @param trouble why it was refused, so that an older one is in force, or the empty string
 * @param refusedAt when that was
 */
public record ReloadCondition(String trouble, Optional<Instant> refusedAt) {
    /** The last one is in force. */
    static final ReloadCondition TAKEN = new ReloadCondition("", Optional.empty());

    static ReloadCondition refused(String why, Instant now) {
        return new ReloadCondition(why, Optional.of(now));
    }

    JsonObject write(JsonObject json) {
        json.text("trouble", trouble);
        refusedAt.ifPresent(at -> json.text("refusedAt", at.toString()));
        return json;
    }
}

package io.mcpbridge.upstream;

import io.mcpbridge.failure.Failure;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a call that wants the session of a slot: it is sent, refused or kept there.
 *
 * @param session where it is to be sent
 * @param refusal why there is none for it
 * @param begun what is to be begun for it
 */
record Parking(
        @Nullable UpstreamSession session,
        @Nullable Failure refusal,
        @Nullable SessionOpening begun) {}

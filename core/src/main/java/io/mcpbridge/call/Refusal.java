package io.mcpbridge.call;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;

/** Handlers that turn every call away with one fixed failure. */
final class Refusal {

    static final Handler CLIENT_CANNOT_BE_ASKED = (call, reply) -> reply.done(Outcome.failed(Failure.of(
            ErrorCode.METHOD_NOT_FOUND,
            "The client cannot be asked '%s': it declared no capability for it."
                    .formatted(call.request().method()))));

    private Refusal() {}
}

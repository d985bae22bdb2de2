package io.mcpbridge.pipeline;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;

/** Tells whoever watches an attempt of its end, before its caller hears of it. */
record WatchedReply(AttemptWatch attempt, Reply reply) implements Reply {

    @Override
    public void event(Message progressOrLog) {
        reply.event(progressOrLog);
    }

    @Override
    public void done(Outcome outcome) {
        attempt.ended(outcome);
        reply.done(outcome);
    }
}

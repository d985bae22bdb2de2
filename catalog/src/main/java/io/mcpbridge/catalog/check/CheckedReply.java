package io.mcpbridge.catalog.check;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import java.util.function.Consumer;

/**
 * Has complete results of a tool looked at before their client gets them. What is no result of the tool, such as an
 * error or a question, passes.
 */
record CheckedReply(Reply reply, Consumer<Outcome.Answered> look) implements Reply {

    @Override
    public void event(Message progressOrLog) {
        reply.event(progressOrLog);
    }

    @Override
    public void done(Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered && isComplete(answered)) {
            look.accept(answered);
        } else {
            reply.done(outcome);
        }
    }

    private static boolean isComplete(Outcome.Answered answered) {
        var response = answered.response();
        return !response.isError()
                && response.raw(Part.IS_ERROR).filter("true"::equals).isEmpty()
                && response.text(Part.RESULT_TYPE)
                        .filter(type -> !type.equals("complete"))
                        .isEmpty();
    }
}

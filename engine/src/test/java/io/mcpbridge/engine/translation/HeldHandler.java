package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Holds calls until a test answers them; a cancelled call fails at once, as calls to servers do. */
final class HeldHandler implements Handler {

    /** One call and the way back. */
    record Taken(Call call, Reply reply) {

        void answer(String resultJson) {
            reply.complete(Outcome.answered(Response.result(call.request().id(), resultJson)));
        }

        void refuse(int code, String message, String data) {
            reply.complete(Outcome.answered(Response.error(call.request().id(), code, message, data)));
        }

        String params() {
            return call.request().raw(MessageField.PARAMS).orElse("");
        }

        boolean isCancelled() {
            return call.cancellation().isCancelled();
        }
    }

    private final List<Taken> taken = new CopyOnWriteArrayList<>();

    @Override
    public void handle(Call call, Reply reply) {
        taken.add(new Taken(call, reply));
        call.cancellation()
                .onCancel(why ->
                        reply.complete(Outcome.failed(Failure.of(ErrorCode.CANCELLED, "withdrawn: " + why.text()))));
    }

    int count() {
        return taken.size();
    }

    Taken last() {
        return taken.get(taken.size() - 1);
    }

    Taken number(int index) {
        return taken.get(index);
    }
}

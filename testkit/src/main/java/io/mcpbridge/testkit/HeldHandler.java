package io.mcpbridge.testkit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A handler that holds each call until the test completes it. It is the {@link Next} of a stage under test. Any thread
 * may use it.
 */
public final class HeldHandler implements Handler, Next {
    private final List<Held> calls = new CopyOnWriteArrayList<>();

    @Override
    public void handle(Call call, Reply reply) {
        calls.add(new Held(call, reply));
    }

    @Override
    public void handle(CallContext call) {
        handle(call, call);
    }

    /** The calls received so far, in order. */
    public List<Held> calls() {
        return List.copyOf(calls);
    }

    /** The call with this index, which counts from 0. */
    public Held call(int index) {
        return Eventually.get(
                () -> "call " + index + "; there are " + calls.size(),
                () -> calls.size() > index ? Optional.of(calls.get(index)) : Optional.empty());
    }

    /** The last call. */
    public Held last() {
        return calls.get(calls.size() - 1);
    }

    /**
     * One call that was received.
     *
     * @param call as it was received
     * @param reply receives its outcome
     */
    public record Held(Call call, Reply reply) {

        /** Completes the call with a result. */
        public Response answer(String resultJson) {
            var response = Response.result(MessageId.of(1), resultJson);
            reply.complete(Outcome.answered(response));
            return response;
        }

        /** Completes the call with a JSON-RPC error of the server. */
        public void refuse(int code) {
            reply.complete(Outcome.answered(Response.error(MessageId.of(1), code, "no")));
        }

        public void fail(Failure failure) {
            reply.complete(Outcome.failed(failure));
        }

        /** Sends a progress notification. */
        public Message progress(int done) {
            var params = "{\"progressToken\":1,\"progress\":%d}".formatted(done);
            var event = Notification.of("notifications/progress", params);
            reply.event(event);
            return event;
        }
    }
}

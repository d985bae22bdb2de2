package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests of servers to one client, which has to answer them. Any thread.
 *
 * <p>Their ids are minted here, so two servers cannot use the same one.
 */
final class Questions implements Handler {
    private record Question(Call call, Reply reply) {}

    private final ClientSession session;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<MessageId, Question> open = new ConcurrentHashMap<>();

    Questions(ClientSession session) {
        this.session = session;
    }

    @Override
    public void handle(Call call, Reply reply) {
        if (!session.canBeAsked(call.request().method())) {
            refuse(call, reply, "declared no capability for it");
            return;
        }
        var id = MessageId.of("bridge-" + lastId.incrementAndGet());
        open.put(id, new Question(call, reply));
        var asked = session.streamFor(call.correlationId())
                .offer(call.request().splice().id(id).done());
        if (asked == Exchange.Offer.FULL) {
            refuse(call, end(id), unread(call));
            return;
        }
        call.cancellation().onCancel(reason -> withdraw(id, call, reason));
    }

    private String unread(Call call) {
        return session.hears(call.correlationId())
                ? "does not read what it is sent"
                : "listens on no stream, which GET opens, and this belongs to none of its calls";
    }

    /** Takes a client's answer; one that answers nothing is dropped. */
    void answered(Response response) {
        var id = response.id();
        if (id.isPresent()) {
            end(id.get()).done(Outcome.answered(response));
        }
    }

    /** The client is gone and will answer nothing. */
    void close() {
        for (var id : java.util.List.copyOf(open.keySet())) {
            var question = open.get(id);
            if (question != null) {
                refuse(question.call(), end(id), "disconnected");
            }
        }
    }

    private void withdraw(MessageId id, Call call, CancelReason reason) {
        var reply = end(id);
        if (reply == Nobody.INSTANCE) {
            return;
        }
        var params = "{\"requestId\":" + id.raw() + "}";
        session.streamFor(call.correlationId()).offer(Notification.of(Methods.CANCELLED, params));
        reply.done(Outcome.failed(
                Failure.of(reason.code(), "the question to the client was withdrawn: " + reason.text())));
    }

    private Reply end(MessageId id) {
        var question = open.remove(id);
        return question == null ? Nobody.INSTANCE : question.reply();
    }

    private static void refuse(Call call, Reply reply, String why) {
        Request request = call.request();
        var message = "The client cannot be asked '%s': it %s.".formatted(request.method(), why);
        reply.done(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, message)));
    }

    /** Nobody waits for the answer any more. */
    private enum Nobody implements Reply {
        INSTANCE;

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {}
    }
}

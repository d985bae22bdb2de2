package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.Closed;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens a conversation by HTTP+SSE with a server that is configured for it. */
final class EventOpening implements EventSession.Hearer {
    private final Conversation conversation;
    private final EventSession events;
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    EventOpening(Conversation conversation) {
        this.conversation = conversation;
        this.events = new EventSession(conversation.session(), this);
    }

    /**
     * Waits until the server has said where to post.
     *
     * @throws TransportException if it does not in time
     */
    void await(Deadline deadline) throws InterruptedException {
        events.begin(deadline);
        boolean isBegun = false;
        try {
            isBegun = begun.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            var words = "'%s' gave no event stream with an endpoint within %d ms";
            throw TransportException.of(Failure.of(
                    ErrorCode.PROVIDER_TIMEOUT,
                    words.formatted(
                            conversation.session().target().url(),
                            deadline.span().toMillis())));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof TransportException known
                    ? known
                    : TransportException.unreachable(
                            conversation.session().target().url(), failed);
        } finally {
            if (!isBegun) {
                events.close();
            }
        }
    }

    @Override
    public void begun() {
        conversation.goOn(events);
        begun.complete(true);
    }

    @Override
    public void refused(Failure why) {
        begun.completeExceptionally(TransportException.of(why));
    }

    @Override
    public void silent(Session place) {
        conversation.ping(place);
    }

    @Override
    public void message(Message message) {
        conversation.heard(message);
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        conversation.unreadable(why, answerTo);
    }

    @Override
    public void ended(String why) {
        conversation.closed(Closed.disconnected(why));
    }
}

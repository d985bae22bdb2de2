package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import java.util.Optional;
import java.util.Set;

/**
 * Asks a server that does not take {@code initialize} by POST whether it is one of revision 2024-11-05. If it is, the
 * conversation goes on there; if it is not, the handshake has failed as it did.
 */
final class EventFallback implements EventSession.Hearer {
    private static final Set<Integer> STATUSES = Set.of(400, 404, 405);
    private static final Set<String> MODERN_ERRORS = Set.of("-32020", "-32021", "-32022");

    private final Conversation conversation;
    private final Outgoing initialize;
    private final TransportFailure why;
    private final EventSession events;

    EventFallback(Conversation conversation, Outgoing initialize, TransportFailure why) {
        this.conversation = conversation;
        this.initialize = initialize;
        this.why = why;
        this.events = new EventSession(conversation.session(), this);
    }

    /** Whether a handshake failed as it does with a server that only knows the older way. */
    static boolean isDue(Post post, TransportFailure why) {
        var code = why.body().flatMap(body -> body.raw(Part.ERROR_CODE)).orElse("");
        return Session.isInitialize(post.out())
                && why.failure().status().isPresent()
                && STATUSES.contains(why.failure().status().getAsInt())
                && !MODERN_ERRORS.contains(code);
    }

    void begin() {
        var session = conversation.session();
        var patience = Deadline.after(
                session.settings().connectTimeout(), session.environment().timekeeper());
        events.begin(patience.earlier(initialize.deadline()));
    }

    @Override
    public void begun() {
        conversation.goOn(events);
        conversation.send(initialize);
    }

    @Override
    public void refused(Failure noStream) {
        events.close();
        conversation.failed(initialize, why);
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
    public void unreadable(ProtocolException problem, Optional<MessageId> answerTo) {
        conversation.unreadable(problem, answerTo);
    }

    @Override
    public void ended(String how) {
        conversation.closed(Closed.disconnected(how));
    }
}

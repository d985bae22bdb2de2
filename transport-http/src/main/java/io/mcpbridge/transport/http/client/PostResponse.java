package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.transport.http.internal.Body;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the response to one {@link Post}: JSON, an event stream, or a refusal. Belongs to an event loop. */
final class PostResponse {
    private static final int MOST_ERROR_BYTES = 1 << 20;
    private static final Duration GRACE_AFTER_ANSWER = Duration.ofSeconds(1);

    private final Post post;
    private final Session session;
    private final HttpResponse head;
    private final boolean isSuccess;
    private final boolean namedASession;
    private final Body body;
    private final StreamPosition position = new StreamPosition();
    private final @Nullable EventReader events;
    private volatile boolean isOver;

    PostResponse(Post post, Session session, HttpResponse head) {
        this.post = post;
        this.session = session;
        this.head = head;
        this.isSuccess = head.status().codeClass() == HttpStatusClass.SUCCESS;
        this.namedASession = session.isNamedBy(post.out());
        int most = isSuccess ? limits().maxBytes() : MOST_ERROR_BYTES;
        this.body = new Body(most, HttpUtil.getContentLength(head, -1L));
        boolean isStream = type().equals(Names.EVENT_STREAM) && isSuccess && post.awaitsAnswer();
        this.events = isStream ? new EventReader(most, this::event, position::retry) : null;
        if (isSuccess && Session.isInitialize(post.out())) {
            beginSession();
        }
    }

    private void beginSession() {
        var id = head.headers().get(Names.SESSION_ID);
        if (id == null) {
            return;
        }
        if (Names.isVisible(id)) {
            session.begin(id);
        } else {
            invalid("named a session whose id is not visible ASCII");
        }
    }

    /** Takes a part of the body; false if nothing more is to be read. */
    boolean body(ByteBuf part) {
        if (events == null) {
            return whole(part);
        }
        try {
            events.feed(part);
            return !isOver;
        } catch (EventReader.TooLarge tooLarge) {
            invalid(tooLarge());
            return false;
        }
    }

    private boolean whole(ByteBuf part) {
        if (body.add(part)) {
            return true;
        }
        if (isSuccess) {
            invalid(tooLarge());
        } else {
            refused(Optional.empty());
        }
        return false;
    }

    private String tooLarge() {
        return "sent a message of more than %d bytes, which is the limit '%s'"
                .formatted(limits().maxBytes(), limits().frameKey());
    }

    void end() {
        isOver = true;
        if (events != null) {
            streamEnded("it ended");
        } else if (!isSuccess) {
            refused(parsed());
        } else if (post.awaitsAnswer()) {
            answer();
        } else {
            post.accepted();
        }
    }

    void broken(Throwable cause) {
        isOver = true;
        if (events != null) {
            streamEnded(Post.reason(cause));
        } else if (!isSuccess) {
            refused(Optional.empty());
        } else {
            lost("the answer of '%s' was cut off: %s".formatted(session.target().url(), Post.reason(cause)));
        }
    }

    private void answer() {
        if (body.isEmpty()) {
            invalid("answered a request with HTTP status %d and no message"
                    .formatted(head.status().code()));
            return;
        }
        if (!type().equals(Names.JSON)) {
            invalid("answered with Content-Type '%s', which must be application/json or text/event-stream"
                    .formatted(type()));
            return;
        }
        try {
            var messages = Pieces.read(body.take(), post.out().version(), limits());
            if (messages.stream().anyMatch(this::isOurs)) {
                messages.forEach(this::heard);
            } else {
                invalid("answered with a message that is not the response to this request");
            }
        } catch (ProtocolException malformed) {
            invalid("answered with something that is not a message: " + malformed.getMessage());
        }
    }

    private void event(ServerEvent event) {
        if (!position.advance(event) || !event.isMessage() || !post.isUnderWay()) {
            return;
        }
        try {
            Pieces.read(event.data(), post.out().version(), limits()).forEach(this::heard);
            if (!post.isUnderWay()) {
                endSoon();
            }
        } catch (ProtocolException malformed) {
            isOver = true;
            invalid("sent an event that is not a message: " + malformed.getMessage());
            post.closeConnection();
        }
    }

    private void heard(Message message) {
        if (isOurs(message)) {
            post.answered((Response) message);
        } else {
            post.event(message);
        }
    }

    /** After the answer the server has to end the stream; a connection is not kept for one that does not. */
    private void endSoon() {
        session.environment().timekeeper().schedule(GRACE_AFTER_ANSWER, () -> {
            if (!isOver) {
                post.closeConnection();
            }
        });
    }

    private void streamEnded(String how) {
        if (!post.isUnderWay()) {
            return;
        }
        if (position.canResume() && post.out().version().era() == Era.LEGACY) {
            post.resume(new Resumption(session, post.out().version(), position, this::event, this::gaveUp));
            return;
        }
        lost("the stream of '%s' broke before the answer came: %s"
                .formatted(session.target().url(), how));
    }

    private void gaveUp(Optional<HttpResponse> refusal) {
        var words = "the stream of '%s' broke before the answer came and could not be taken up again";
        var failure = Post.unavailable(words.formatted(session.target().url())).withDelivery(Delivery.UNKNOWN);
        boolean isSessionLost =
                refusal.filter(last -> last.status().code() == 404).isPresent();
        var kind = isSessionLost ? TransportFailure.Kind.SESSION_LOST : TransportFailure.Kind.REQUEST_FAILED;
        post.fail(TransportFailure.of(
                kind,
                refusal.map(last -> failure.withStatus(last.status().code())).orElse(failure)));
    }

    private void refused(Optional<Message> said) {
        var refusals = new Refusals(session.target(), session.environment().timekeeper());
        boolean isOurs = said.filter(this::isOurs).isPresent();
        if (isOurs && refusals.isAnswer(head.status().code(), said.get(), namedASession)) {
            post.answered((Response) said.get());
            return;
        }
        var why = refusals.judge(head, namedASession);
        post.fail(said.isPresent() ? why.withBody(said.get()) : why);
    }

    private boolean isOurs(Message message) {
        return message instanceof Response response
                && post.out().message() instanceof Request request
                && response.id().filter(request.id()::equals).isPresent();
    }

    private Optional<Message> parsed() {
        if (body.isEmpty() || !type().equals(Names.JSON)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Message.scan(body.take(), limits()));
        } catch (ProtocolException notAMessage) {
            return Optional.empty();
        }
    }

    private Limits limits() {
        return session.environment().bounds().fromServers();
    }

    private String type() {
        return Names.mediaType(head.headers().get(Names.CONTENT_TYPE, ""));
    }

    private void lost(String message) {
        post.fail(Post.unavailable(message).withStatus(head.status().code()).withDelivery(Delivery.UNKNOWN));
    }

    private void invalid(String what) {
        post.fail(Failure.of(
                        ErrorCode.UPSTREAM_INVALID,
                        "'%s' %s".formatted(session.target().url(), what))
                .withStatus(head.status().code())
                .withDelivery(Delivery.UNKNOWN));
    }
}

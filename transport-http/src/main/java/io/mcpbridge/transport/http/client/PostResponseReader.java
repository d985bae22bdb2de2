package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import io.mcpbridge.transport.http.internal.BoundedBody;
import io.mcpbridge.transport.http.internal.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the response to one {@link PostRequest}: JSON, an event stream, or an error status. Belongs to an event loop.
 */
final class PostResponseReader {
    private static final int MAX_ERROR_BYTES = 1 << 20;
    private static final Duration GRACE_AFTER_ANSWER = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY_AFTER = Duration.ofDays(1);
    private static final int MAX_SHOWN_LOCATION = 200;
    private static final String METHOD_NOT_FOUND = "-32601";

    /** The statuses that a server sends without dispatching the request. */
    private static final Set<Integer> BEFORE_DISPATCH =
            Set.of(301, 307, 308, 401, 403, 404, 405, 406, 413, 415, 421, 429, 431);

    private final PostRequest post;
    private final HttpClientSession context;
    private final HttpResponse head;
    private final boolean isSuccess;
    private final boolean namesSession;
    private final BoundedBody body;
    private final StreamPosition position = new StreamPosition();
    private final @Nullable SseParser parser;
    private volatile boolean isOver;

    PostResponseReader(PostRequest post, HttpClientSession context, HttpResponse head) {
        this.post = post;
        this.context = context;
        this.head = head;
        this.isSuccess = head.status().codeClass() == HttpStatusClass.SUCCESS;
        this.namesSession = context.isNamedBy(post.out());
        int most = isSuccess ? limits().maxBytes() : MAX_ERROR_BYTES;
        this.body = new BoundedBody(most, HttpUtil.getContentLength(head, -1L));
        boolean isStream = type().equals(HeaderNames.EVENT_STREAM) && isSuccess && post.awaitsAnswer();
        this.parser = isStream ? new SseParser(most, this::event, position::retry) : null;
        if (isSuccess && HttpClientSession.isInitialize(post.out())) {
            beginSession();
        }
    }

    private void beginSession() {
        var id = head.headers().get(HeaderNames.SESSION_ID);
        if (id == null) {
            return;
        }
        if (HeaderNames.isVisible(id)) {
            context.beginSession(id);
        } else {
            invalid("named a session whose id is not visible ASCII");
        }
    }

    /** Reads a part of the body; false if nothing more is to be read. */
    boolean body(ByteBuf part) {
        if (parser == null) {
            return whole(part);
        }
        try {
            parser.feed(part);
            return !isOver;
        } catch (SseParser.TooLarge tooLarge) {
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
        if (parser != null) {
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
        if (parser != null) {
            streamEnded(ErrorText.of(cause));
        } else if (!isSuccess) {
            refused(Optional.empty());
        } else {
            lost("the answer of '%s' was cut off: %s"
                    .formatted(context.endpoint().url(), ErrorText.of(cause)));
        }
    }

    private void answer() {
        if (body.isEmpty()) {
            invalid("answered a request with HTTP status %d and no message"
                    .formatted(head.status().code()));
            return;
        }
        if (!type().equals(HeaderNames.JSON)) {
            invalid("answered with Content-Type '%s', which must be application/json or text/event-stream"
                    .formatted(type()));
            return;
        }
        var json = body.take();
        try {
            var messages = context.parse(json, post.out().version());
            if (messages.stream().anyMatch(this::isOurs)) {
                messages.forEach(this::received);
            } else {
                invalid("answered with a message that is not the response to this request");
            }
        } catch (ProtocolException malformed) {
            unreadable(json, malformed, "answered with something that is not a message: ");
        }
    }

    private void event(SseEvent event) {
        if (!position.advance(event) || !event.isMessage() || !post.isPending()) {
            return;
        }
        try {
            context.parse(event.data(), post.out().version()).forEach(this::received);
            if (!post.isPending()) {
                closeSoon();
            }
        } catch (ProtocolException malformed) {
            isOver = true;
            unreadable(event.data(), malformed, "sent an event that is not a message: ");
            post.closeConnection();
        }
    }

    /** What names this request is its answer, though it is no message; nothing is known of anything else. */
    private void unreadable(byte[] json, ProtocolException why, String what) {
        if (Message.readableAnswerId(json, limits()).filter(this::isOurs).isPresent()) {
            post.unreadable(why);
        } else {
            invalid(what + why.getMessage());
        }
    }

    private void received(Message message) {
        if (isOurs(message)) {
            post.answered((Response) message);
        } else {
            post.event(message);
        }
    }

    /** The server should end the stream after the answer; if it does not, the connection is closed. */
    private void closeSoon() {
        context.environment().timekeeper().schedule(GRACE_AFTER_ANSWER, () -> {
            if (!isOver) {
                post.closeConnection();
            }
        });
    }

    private void streamEnded(String how) {
        if (!post.isPending()) {
            return;
        }
        if (position.canResume() && post.out().version().era() == Era.LEGACY) {
            new Resumption().begin();
            return;
        }
        lost("the stream of '%s' broke before the answer came: %s"
                .formatted(context.endpoint().url(), how));
    }

    private void refused(Optional<Message> error) {
        if (error.filter(this::isOurs).isPresent() && isAnswer(error.get())) {
            post.answered((Response) error.get());
            return;
        }
        var why = statusError();
        post.fail(error.isPresent() ? why.withBody(error.get()) : why);
    }

    /** Whether the body is the server's answer to the request, rather than an error of the HTTP layer. */
    private boolean isAnswer(Message body) {
        int status = head.status().code();
        if (status == 404 && namesSession) {
            return body.raw(MessageField.ERROR_CODE).orElse("").equals(METHOD_NOT_FOUND);
        }
        return status >= 400 && status < 500 && status != 401 && status != 403 && status != 429;
    }

    /** Returns the failure for a status other than 2xx: its delivery, whether to retry, and its message. */
    private RequestFailure statusError() {
        int status = head.status().code();
        boolean isSessionLost = status == 404 && namesSession;
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, statusMessage(status))
                .withStatus(status)
                .withDelivery(BEFORE_DISPATCH.contains(status) ? Delivery.REJECTED : Delivery.UNKNOWN)
                .withRetryable(status >= 500 || status == 429 || isSessionLost);
        var kind = status == 401 || status == 403 ? Kind.UNAUTHORIZED : Kind.REQUEST_FAILED;
        var whole = RequestFailure.of(
                isSessionLost ? Kind.SESSION_LOST : kind,
                retryAfter().map(failure::withRetryAfter).orElse(failure));
        var challenge = head.headers().get(HeaderNames.WWW_AUTHENTICATE);
        return challenge == null ? whole : whole.withChallenge(challenge);
    }

    private String statusMessage(int status) {
        var begin =
                "'%s' answered with HTTP status %d".formatted(context.endpoint().url(), status);
        if (status >= 300 && status < 400) {
            var location = head.headers().get(HeaderNames.LOCATION, "nowhere");
            return "%s, a redirect to '%s', which is not followed; correct 'url' if it is meant"
                    .formatted(begin, VisibleText.beginning(location, MAX_SHOWN_LOCATION));
        }
        return begin
                + switch (status) {
                    case 401 -> ": credentials are missing or not accepted; check 'headers'";
                    case 403 -> ": the credentials do not allow this";
                    case 404 ->
                        namesSession
                                ? ": it no longer knows the session"
                                : ": there is nothing at this path; check 'url'";
                    case 429 -> ": too many requests";
                    default -> "";
                };
    }

    private Optional<Duration> retryAfter() {
        var value = head.headers().get(HeaderNames.RETRY_AFTER, "").strip();
        if (value.matches("\\d{1,9}")) {
            return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(value))));
        }
        try {
            var at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            var now = context.environment().timekeeper().now();
            return Optional.of(bounded(Duration.between(now, at.toInstant())));
        } catch (DateTimeException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration wait) {
        return Collections.max(List.of(Duration.ZERO, Collections.min(List.of(wait, MAX_RETRY_AFTER))));
    }

    private boolean isOurs(Message message) {
        return message instanceof Response response
                && response.id().filter(this::isOurs).isPresent();
    }

    private boolean isOurs(MessageId id) {
        return post.out().message() instanceof Request request && request.id().equals(id);
    }

    private Optional<Message> parsed() {
        if (body.isEmpty() || !type().equals(HeaderNames.JSON)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Message.scan(body.take(), limits()));
        } catch (ProtocolException notAMessage) {
            return Optional.empty();
        }
    }

    private Limits limits() {
        return context.environment().limits().fromServers();
    }

    private String type() {
        return HeaderNames.mediaType(head.headers().get(HeaderNames.CONTENT_TYPE, ""));
    }

    private void lost(String message) {
        fail(ErrorCode.PROVIDER_UNAVAILABLE, message);
    }

    private void invalid(String what) {
        fail(ErrorCode.UPSTREAM_INVALID, "'%s' %s".formatted(context.endpoint().url(), what));
    }

    private void fail(ErrorCode code, String message) {
        post.fail(Failure.of(code, message).withStatus(head.status().code()).withDelivery(Delivery.UNKNOWN));
    }

    /**
     * Resumes the stream by GET after it broke, until the post ends or resuming has failed too often. A server may
     * close a stream on purpose and name a delay for polling; this is not a failure.
     */
    private final class Resumption implements EventStream.Listener {
        private static final int MAX_FAILURES = 5;

        private final EventStream rest =
                new EventStream(context, post.out().version(), position, context.pool()::runUrgent);
        private int failures;
        private boolean wasOpened;

        void begin() {
            post.continueOn(rest);
            resume();
        }

        private void resume() {
            wasOpened = false;
            rest.resume(failures, this);
        }

        @Override
        public void opened() {
            wasOpened = true;
            failures = 0;
        }

        @Override
        public void event(SseEvent event) {
            PostResponseReader.this.event(event);
        }

        @Override
        public void refused(HttpResponse head) {
            failures = head.status().code() < 500 ? MAX_FAILURES : failures;
            failed(Optional.of(head));
        }

        @Override
        public void over() {
            if (wasOpened) {
                resume();
            } else {
                failed(Optional.empty());
            }
        }

        private void failed(Optional<HttpResponse> refusal) {
            if (++failures <= MAX_FAILURES) {
                resume();
                return;
            }
            var words = "the stream of '%s' broke before the answer came and could not be resumed";
            var failure = PostRequest.unavailable(
                            words.formatted(context.endpoint().url()))
                    .withDelivery(Delivery.UNKNOWN);
            var status = refusal.map(last -> last.status().code());
            post.fail(RequestFailure.of(
                    status.filter(code -> code == 404).isPresent() ? Kind.SESSION_LOST : Kind.REQUEST_FAILED,
                    status.map(failure::withStatus).orElse(failure)));
        }
    }
}

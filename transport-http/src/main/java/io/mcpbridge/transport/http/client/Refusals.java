package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.spi.TransportFailure.Kind;
import io.mcpbridge.transport.http.internal.Names;
import io.netty.handler.codec.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.Set;

/** Judges what a status other than 2xx says about a request. */
final class Refusals {
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(1);
    private static final int SHOWN_LOCATION = 200;
    private static final String METHOD_NOT_FOUND = "-32601";

    /** The statuses that are sent instead of dispatching a request. */
    private static final Set<Integer> BEFORE_DISPATCH =
            Set.of(301, 307, 308, 401, 403, 404, 405, 406, 413, 415, 421, 429, 431);

    private final Target target;
    private final Timekeeper timekeeper;

    Refusals(Target target, Timekeeper timekeeper) {
        this.target = target;
        this.timekeeper = timekeeper;
    }

    /** Whether a status comes with the server's own answer to the request, and not with the HTTP layer's. */
    boolean isAnswer(int status, Message said, boolean namedASession) {
        if (status == 404 && namedASession) {
            return said.raw(Part.ERROR_CODE).orElse("").equals(METHOD_NOT_FOUND);
        }
        return status >= 400 && status < 500 && status != 401 && status != 403 && status != 429;
    }

    TransportFailure judge(HttpResponse head, boolean namedASession) {
        int status = head.status().code();
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message(head, namedASession))
                .withStatus(status)
                .withDelivery(BEFORE_DISPATCH.contains(status) ? Delivery.REJECTED : Delivery.UNKNOWN)
                .withRetryable(status >= 500 || status == 429 || (status == 404 && namedASession));
        var retryAfter = retryAfter(head);
        var whole = TransportFailure.of(
                kind(status, namedASession),
                retryAfter.isPresent() ? failure.withRetryAfter(retryAfter.get()) : failure);
        var challenge = head.headers().get(Names.WWW_AUTHENTICATE);
        return challenge == null ? whole : whole.withChallenge(challenge);
    }

    private static Kind kind(int status, boolean namedASession) {
        if (status == 404 && namedASession) {
            return Kind.SESSION_LOST;
        }
        return status == 401 || status == 403 ? Kind.UNAUTHORIZED : Kind.REQUEST_FAILED;
    }

    private String message(HttpResponse head, boolean namedASession) {
        int status = head.status().code();
        var begin = "'%s' answered with HTTP status %d".formatted(target.url(), status);
        if (status >= 300 && status < 400) {
            return begin + ", a redirect to " + location(head)
                    + ", which is not followed; correct 'url' if it is meant";
        }
        return begin
                + switch (status) {
                    case 401 -> ": credentials are missing or not accepted; check 'headers'";
                    case 403 -> ": the credentials do not allow this";
                    case 404 ->
                        namedASession
                                ? ": it no longer knows the session"
                                : ": there is nothing at this path; check 'url'";
                    case 429 -> ": too many requests";
                    default -> "";
                };
    }

    private static String location(HttpResponse head) {
        var location = head.headers().get(Names.LOCATION, "nowhere");
        var cut = location.length() <= SHOWN_LOCATION ? location : location.substring(0, SHOWN_LOCATION) + "…";
        return "'" + cut.replaceAll("[^\\x20-\\x7e…]", "?") + "'";
    }

    private Optional<Duration> retryAfter(HttpResponse head) {
        var value = head.headers().get(Names.RETRY_AFTER, "").strip();
        if (value.matches("\\d{1,9}")) {
            return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(value))));
        }
        try {
            var at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(bounded(Duration.between(timekeeper.now(), at.toInstant())));
        } catch (DateTimeException absentOrUnreadable) {
            return Optional.empty();
        }
    }

    private static Duration bounded(Duration wait) {
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST_RETRY_AFTER) < 0 ? wait : LONGEST_RETRY_AFTER;
    }
}

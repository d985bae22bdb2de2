package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.Optional;

/**
 * The failure of one request on a connection that stays open.
 *
 * <p>The {@link Failure} has delivery, status and {@code Retry-After}; the other components are for the session that
 * uses the transport.
 */
public record RequestFailure(Kind kind, Failure failure, Optional<String> challenge, Optional<Message> body) {

    /** The reaction that the session must take. */
    public enum Kind {
        /** The session only reports the failure to the caller. */
        REQUEST_FAILED,
        /** The server has lost the session: it answered 404 to a request with a session id. */
        SESSION_LOST,
        /** Credentials are missing or rejected: 401 or 403. */
        UNAUTHORIZED
    }

    public static RequestFailure of(Kind kind, Failure failure) {
        return new RequestFailure(kind, failure, Optional.empty(), Optional.empty());
    }

    public RequestFailure withChallenge(String header) {
        return new RequestFailure(kind, failure, Optional.of(header), body);
    }

    public RequestFailure withBody(Message message) {
        return new RequestFailure(kind, failure, challenge, Optional.of(message));
    }
}

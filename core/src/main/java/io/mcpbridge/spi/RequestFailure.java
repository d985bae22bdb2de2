package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.Optional;

/**
 * Why one request got no answer while its connection goes on.
 *
 * <p>The {@link Failure} carries delivery, status and {@code Retry-After}; beside it stands what only the
 * session above can judge.
 */
public record RequestFailure(Kind kind, Failure failure, Optional<String> challenge, Optional<Message> body) {

    /** The reaction that the session above owes. */
    public enum Kind {
        /** Nothing but to tell the caller. */
        REQUEST_FAILED,
        /** The server no longer knows the session: 404 to a request that named one. */
        SESSION_LOST,
        /** Credentials are missing or refused: 401 or 403. */
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

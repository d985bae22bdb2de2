package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why one request got no answer while its connection goes on.
 *
 * <p>The {@link Failure} carries delivery, status and {@code Retry-After}; beside it stands what only the
 * session above can judge.
 */
public final class TransportFailure {

    /** What the session above has to do about it. */
    public enum Kind {
        /** Nothing but to tell the caller. */
        REQUEST_FAILED,
        /** The server no longer knows the session: 404 to a request that named one. */
        SESSION_LOST,
        /** Credentials are missing or refused: 401 or 403. */
        UNAUTHORIZED
    }

    private final Kind kind;
    private final Failure failure;
    private final @Nullable String challenge;
    private final @Nullable Message body;

    private TransportFailure(Kind kind, Failure failure, @Nullable String challenge, @Nullable Message body) {
        this.kind = kind;
        this.failure = failure;
        this.challenge = challenge;
        this.body = body;
    }

    public static TransportFailure of(Kind kind, Failure failure) {
        return new TransportFailure(kind, failure, null, null);
    }

    public Kind kind() {
        return kind;
    }

    public Failure failure() {
        return failure;
    }

    /** The {@code WWW-Authenticate} header. */
    public Optional<String> challenge() {
        return Optional.ofNullable(challenge);
    }

    /** The JSON-RPC message in the body of an error status. */
    public Optional<Message> body() {
        return Optional.ofNullable(body);
    }

    public TransportFailure withChallenge(String header) {
        return new TransportFailure(kind, failure, header, body);
    }

    public TransportFailure withBody(Message message) {
        return new TransportFailure(kind, failure, challenge, message);
    }
}

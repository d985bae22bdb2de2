package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import java.time.Duration;

/** Why one server is not listened to, in words. */
record ListenFailures(String server) {
    private static final String METHOD_NOT_FOUND = "-32601";

    /** The session is over. */
    Failure over() {
        return failure(ErrorCode.PROVIDER_UNAVAILABLE, "the session with '%s' ended".formatted(server));
    }

    /** The server has taken a listening back. */
    Failure takenBack() {
        return failure(ErrorCode.PROVIDER_UNAVAILABLE, "server '%s' ended the listening".formatted(server));
    }

    Failure unacknowledged(Duration patience) {
        return failure(
                ErrorCode.PROVIDER_TIMEOUT,
                "server '%s' did not acknowledge 'subscriptions/listen' within %d ms"
                        .formatted(server, patience.toMillis()));
    }

    /** The server listens, but not to this resource. */
    Failure refusal(String uri) {
        return failure(ErrorCode.INVALID_PARAMS, "server '%s' does not tell of changes of '%s'".formatted(server, uri));
    }

    /** What whoever waits is told when a listening ended like this. */
    Failure of(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed
                ? failed.failure()
                : failure(ErrorCode.METHOD_NOT_FOUND, "server '%s' does not listen for changes".formatted(server));
    }

    /** Whether the server does not know what listening is, so that asking again is of no use. */
    static boolean isFinal(Outcome outcome) {
        return outcome instanceof Outcome.Answered answered
                && answered.response()
                        .raw(Part.ERROR_CODE)
                        .filter(METHOD_NOT_FOUND::equals)
                        .isPresent();
    }

    private Failure failure(ErrorCode code, String words) {
        return Failure.of(code, words).withServer(server);
    }
}

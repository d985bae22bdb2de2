package io.mcpbridge.workers;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;

/** Makes the exceptions of calls that no worker has completed. */
final class WorkerErrors {

    private WorkerErrors() {}

    static CallException timedOut(String tool, Duration time) {
        return failed(
                ErrorCode.PROVIDER_TIMEOUT,
                Delivery.UNKNOWN,
                "'%s' timed out: it took longer than %d ms (maxExecution), and its worker was killed"
                        .formatted(tool, time.toMillis()));
    }

    static CallException crashed(String tool, String how, int maxMemoryMb) {
        return failed(
                ErrorCode.PROVIDER_CRASHED,
                Delivery.UNKNOWN,
                "'%s' crashed, with %d MiB (maxMemoryMb): %s".formatted(tool, maxMemoryMb, how));
    }

    static CallException tooLarge(String tool, int maxBytes) {
        return CallException.of(Failure.of(
                        ErrorCode.OVERLOADED,
                        "the result of '%s' takes more than %d bytes (maxResultBytes); return less, or raise the limit"
                                .formatted(tool, maxBytes))
                .withRetryable(false)
                .withDelivery(Delivery.ANSWERED));
    }

    static CallException unsendable(String tool, IllegalArgumentException why) {
        return failed(
                ErrorCode.INVALID_PARAMS,
                Delivery.NOT_SENT,
                "cannot send the arguments of '%s' to a worker: %s".formatted(tool, why.getMessage()));
    }

    static CallException queueFull(int most, int maxWaiting) {
        return failed(
                ErrorCode.OVERLOADED,
                Delivery.NOT_SENT,
                "all %d workers (most) are busy, and %d calls (maxWaiting) wait for one already"
                        .formatted(most, maxWaiting));
    }

    static CallException waitedTooLong(int most, Duration maxWait) {
        return failed(
                ErrorCode.OVERLOADED,
                Delivery.NOT_SENT,
                "none of %d workers (most) was free within %d ms (maxWait)".formatted(most, maxWait.toMillis()));
    }

    static CallException cannotStart(String why) {
        return failed(ErrorCode.PROVIDER_UNAVAILABLE, Delivery.NOT_SENT, "no worker starts: " + why);
    }

    static CallException closed(Delivery delivery) {
        return failed(ErrorCode.SHUTTING_DOWN, delivery, "the pool of workers is closed");
    }

    private static CallException failed(ErrorCode code, Delivery delivery, String message) {
        return CallException.of(Failure.of(code, message).withDelivery(delivery));
    }
}

package io.mcpbridge.cli.relay;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Looks for the daemon, again and again with pauses, until it is there or patience has ended. Any thread. */
final class Dialing {

    /** Makes connections; waits while it does. */
    interface Dialer {

        DaemonConnection dial(DaemonConnection.Owner owner) throws InterruptedException;
    }

    private final Dialer dialer;
    private final Patience patience;
    private final CountDownLatch ending = new CountDownLatch(1);

    Dialing(Dialer dialer, Patience patience) {
        this.dialer = dialer;
        this.patience = patience;
    }

    /** Whether a daemon that was lost is looked for, even if nothing is to be said to it yet. */
    boolean isPersistent() {
        return patience.tries() > 1;
    }

    boolean isEnding() {
        return ending.getCount() == 0;
    }

    /** Nothing is dialed any more. */
    void end() {
        ending.countDown();
    }

    private static Failure closed() {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the connection to the daemon is closed");
    }

    /** Dials until {@code adopted} takes a connection; otherwise why there is none. */
    Optional<Failure> until(Predicate<DaemonConnection> adopted, DaemonConnection.Owner owner) {
        var why = closed();
        try {
            for (int number = 1; number <= patience.tries() && !isEnding(); number++) {
                try {
                    if (adopted.test(dialer.dial(owner))) {
                        return Optional.empty();
                    }
                } catch (BridgeException absent) {
                    why = absent.failure();
                }
                if (pauses(patience.pause(number))) {
                    break;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return Optional.of(why);
    }

    /** True if there is nobody any more to go on for. */
    private boolean pauses(Duration span) throws InterruptedException {
        return ending.await(span.toMillis(), TimeUnit.MILLISECONDS);
    }
}

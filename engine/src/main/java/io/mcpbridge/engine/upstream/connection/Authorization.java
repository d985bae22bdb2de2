package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Credentials;
import io.mcpbridge.spi.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Adds the credentials for one server to headers, and renews the credentials of a user when the server rejects them. At
 * most one renewal per user is in progress. Any thread; nothing here waits.
 */
public final class Authorization {
    private final ServerSettings settings;
    private final Timekeeper timekeeper;
    private final Credentials credentials;

    /** The renewals in progress. */
    private final Map<Principal, Renewal> renewing = new ConcurrentHashMap<>();

    public Authorization(ServerSettings settings, Environment environment) {
        this.settings = settings;
        this.timekeeper = environment.timekeeper();
        this.credentials = environment.credentials();
    }

    /** Returns the user whose credentials apply; none if all users share the server. */
    private Principal principal(Caller caller) {
        return settings.shared() ? Principal.ANONYMOUS : caller.principal();
    }

    /** Returns the headers with the credentials of the caller. */
    MessageHeaders with(MessageHeaders headers, Caller caller) {
        var all = headers;
        for (var shown :
                credentials.headers(principal(caller), settings.name()).asMap().entrySet()) {
            for (var value : shown.getValue()) {
                all = all.with(shown.getKey(), value);
            }
        }
        return all;
    }

    /**
     * Returns a remedy that renews the credentials of the caller, unless they were renewed since the rejected request.
     */
    public Remedy renewal(RejectedRequest rejected, Caller caller) {
        var sent = rejected.outgoing().headers();
        return (then, failed) -> {
            if (with(sent, caller).asMap().equals(sent.asMap())) {
                renew(
                        caller,
                        rejected.challenge(),
                        problem -> problem.ifPresentOrElse(
                                why -> failed.accept(unrenewed(rejected.failure(), why)), then));
            } else {
                then.run();
            }
        };
    }

    private static Failure unrenewed(Failure rejection, Throwable problem) {
        return problem instanceof UnsupportedOperationException
                ? rejection
                : rejection
                        .withMessage("%s; %s".formatted(rejection.message(), problem.getMessage()))
                        .withCause(problem);
    }

    /**
     * Renews the credentials of the caller, or joins the renewal in progress; {@code ended} receives the cause of a
     * failure.
     */
    private void renew(Caller caller, String challenge, Consumer<Optional<Throwable>> ended) {
        var principal = principal(caller);
        var next = new Renewal(principal);
        var joined = renewing.compute(principal, (same, present) -> {
            var renewal = present == null ? next : present;
            renewal.waiting.add(ended);
            return renewal;
        });
        if (joined == next) {
            next.alarm = Deadline.after(settings.timeout(), timekeeper).alarm(next::timedOut);
            credentials.refresh(principal, settings.name(), challenge, next);
        }
    }

    /** One renewal, with a time-out. It has ended when it is removed from the map. */
    private final class Renewal implements Completion {
        private final Principal principal;

        /** The requests that wait for it; none is added after its end. */
        private final List<Consumer<Optional<Throwable>>> waiting = new ArrayList<>();

        private volatile Timekeeper.Alarm alarm = () -> {};

        private Renewal(Principal principal) {
            this.principal = principal;
        }

        @Override
        public void succeeded() {
            end(Optional.empty());
        }

        @Override
        public void failed(Throwable why) {
            end(Optional.of(why));
        }

        private void timedOut() {
            failed(new TimeoutException(
                    "that took longer than %d ms".formatted(settings.timeout().toMillis())));
        }

        private void end(Optional<Throwable> why) {
            if (renewing.remove(principal, this)) {
                alarm.cancel();
                waiting.forEach(each -> each.accept(why));
            }
        }
    }
}

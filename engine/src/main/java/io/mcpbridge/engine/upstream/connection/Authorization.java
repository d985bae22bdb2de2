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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

/**
 * Adds the credentials for one server to headers, and renews the credentials of a user when the server rejects them. At
 * most one renewal per user is in progress. Any thread; nothing here waits.
 */
public final class Authorization {
    private final ServerSettings settings;
    private final Timekeeper timekeeper;
    private final Credentials credentials;

    /** The renewals in progress; each has a time-out. */
    private final Map<Principal, CompletableFuture<Void>> renewing = new ConcurrentHashMap<>();

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
                var unused = renewed(principal(caller), rejected.challenge()).whenComplete((done, problem) -> {
                    if (problem == null) {
                        then.run();
                    } else {
                        failed.accept(unrenewed(rejected.failure(), problem));
                    }
                });
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

    /** Renews the credentials of a user, or joins the renewal in progress. */
    private CompletableFuture<Void> renewed(Principal principal, String challenge) {
        var own = new CompletableFuture<Void>();
        var present = renewing.putIfAbsent(principal, own);
        if (present != null) {
            return present;
        }
        var completion = new Completion() {
            @Override
            public void succeeded() {
                renewing.remove(principal, own);
                own.complete(null);
            }

            @Override
            public void failed(Throwable why) {
                renewing.remove(principal, own);
                own.completeExceptionally(why);
            }
        };
        var words = "that took longer than %d ms".formatted(settings.timeout().toMillis());
        var alarm = Deadline.after(settings.timeout(), timekeeper)
                .alarm(() -> completion.failed(new TimeoutException(words)));
        var unused = own.whenComplete((done, problem) -> alarm.cancel());
        credentials.refresh(principal, settings.name(), challenge, completion);
        return own;
    }
}

package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Credentials;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Shows one server who calls, and has the credentials of a user renewed, once at a time, when it refuses them. Any
 * thread; nothing here waits.
 */
final class Authorization {
    private final UpstreamParts parts;
    private final Credentials credentials;
    private final ReentrantLock lock = new ReentrantLock();

    /** Those who wait for the credentials of a user to be renewed. */
    @GuardedBy("lock")
    private final Map<Principal, List<Consumer<Optional<Throwable>>>> renewing = new HashMap<>();

    Authorization(UpstreamParts parts) {
        this.parts = parts;
        this.credentials = parts.environment().credentials();
    }

    /** Who calls, as far as that matters to this server. */
    private Principal principal(Caller caller) {
        return parts.settings().shared() ? Principal.ANONYMOUS : caller.principal();
    }

    /** The headers with what shows the server who calls. */
    Metadata with(Metadata headers, Caller caller) {
        var all = headers;
        for (var shown :
                credentials.headers(principal(caller), parts.name()).asMap().entrySet()) {
            for (var value : shown.getValue()) {
                all = all.with(shown.getKey(), value);
            }
        }
        return all;
    }

    /** Whether a request with these headers showed what would be shown today. */
    boolean isCurrent(Metadata headers, Caller caller) {
        return with(headers, caller).asMap().equals(headers.asMap());
    }

    /** Has the credentials of the caller renewed, unless that is under way; hears why that failed, if it did. */
    void renew(Caller caller, String challenge, Consumer<Optional<Throwable>> ended) {
        var principal = principal(caller);
        if (isFirst(principal, ended)) {
            var renewal = new Renewal(principal);
            renewal.alarm = parts.deadline().alarm(renewal::timedOut);
            credentials.refresh(principal, parts.name(), challenge, renewal);
        }
    }

    private boolean isFirst(Principal principal, Consumer<Optional<Throwable>> waiting) {
        lock.lock();
        try {
            var all = renewing.computeIfAbsent(principal, absent -> new ArrayList<>());
            all.add(waiting);
            return all.size() == 1;
        } finally {
            lock.unlock();
        }
    }

    private List<Consumer<Optional<Throwable>>> takeWaiting(Principal principal) {
        lock.lock();
        try {
            var all = renewing.remove(principal);
            return all == null ? List.of() : all;
        } finally {
            lock.unlock();
        }
    }

    /** One renewal and its end, which is waited for only so long. */
    private final class Renewal implements Completion {
        private final Principal principal;
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile Timekeeper.@Nullable Alarm alarm;

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
            failed(new TimeoutException("that took longer than %d ms"
                    .formatted(parts.settings().timeout().toMillis())));
        }

        private void end(Optional<Throwable> why) {
            if (!isOver.compareAndSet(false, true)) {
                return;
            }
            var pending = alarm;
            if (pending != null) {
                pending.cancel();
            }
            takeWaiting(principal).forEach(each -> each.accept(why));
        }
    }
}

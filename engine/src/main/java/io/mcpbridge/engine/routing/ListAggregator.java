package io.mcpbridge.engine.routing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the lists of all servers, as each caller may see them. Requests all lists at once, with a time-out of {@link
 * #MAX_WAIT}. Omits the list of a server that fails or is late; its later arrival counts as a change. Any thread; never
 * blocks.
 */
final class ListAggregator {
    /** The time-out for the slowest server. */
    static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** The number of cached merged lists; each distinct set of server lists needs one. */
    private static final int MAX_KEPT = 8;

    private final Timekeeper timekeeper;
    private final MissingListLog log;

    /** The latest merged lists, since clients request page after page. Concurrent updates may lose one. */
    private volatile List<Kept<?>> kept = List.of();

    ListAggregator(Timekeeper timekeeper, System.Logger logger) {
        this.timekeeper = timekeeper;
        this.log = new MissingListLog(logger);
    }

    /** Merges fresh lists; at once if every server's list is fresh. */
    <T> void merge(RoutingTable routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Aggregation<>(routes, call.causer(), kind, then).begin(ListsByCaller::listOfMany);
    }

    /** Merges the cached lists of the servers, for the rest of a list. */
    <T> void mergeCached(RoutingTable routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Aggregation<>(routes, call.causer(), kind, then).begin(ListsByCaller::listCached);
    }

    /** The same to find the owner of a name, which may be a server that is late to connect. */
    <T> void mergeForOwner(RoutingTable routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Aggregation<>(routes, call.causer(), kind, then).begin(ListsByCaller::listCurrent);
    }

    /** Merges lists for a name that no server has listed before. */
    <T> void mergeForLookup(RoutingTable routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Aggregation<>(routes, call.causer(), kind, then).begin(ListsByCaller::listForLookup);
    }

    /** Returns a kept list if it was merged from the same lists. */
    private <T> MergedList<T> merged(ListKind<T> kind, RoutingTable routes, Map<String, List<T>> answers) {
        for (var each : kept) {
            var same = each.of(kind, routes, answers);
            if (same.isPresent()) {
                return same.get();
            }
        }
        var merged = MergedList.of(kind, routes, answers);
        var after = new ArrayList<Kept<?>>();
        after.add(new Kept<>(kind, routes, Map.copyOf(answers), merged));
        kept.stream()
                .filter(each -> each.routes() == routes)
                .limit(MAX_KEPT - 1)
                .forEach(after::add);
        kept = List.copyOf(after);
        return merged;
    }

    /** One of the ways to request the list of a server. */
    private interface ListRequest<T> {

        void send(ListsByCaller<T> list, Caller caller, ListsByCaller.Callback<T> callback);
    }

    /** One merge: collects the lists of the servers until all have arrived or the time-out. */
    private final class Aggregation<T> {
        private final RoutingTable routes;
        private final Caller caller;
        private final ListKind<T> kind;
        private final Consumer<MergedList<T>> then;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final Map<String, List<T>> answers = new HashMap<>();

        /** The servers that have answered or failed, and the empty name when all were asked. */
        @GuardedBy("lock")
        private final Set<String> ended = new HashSet<>();

        @GuardedBy("lock")
        private boolean isOver;

        private volatile Timekeeper.Alarm alarm = () -> {};

        private Aggregation(RoutingTable routes, Caller caller, ListKind<T> kind, Consumer<MergedList<T>> then) {
            this.routes = routes;
            this.caller = caller;
            this.kind = kind;
            this.then = then;
        }

        private void begin(ListRequest<T> request) {
            alarm = timekeeper.schedule(MAX_WAIT, this::timeOut);
            routes.all().forEach(route -> request.send(list(route), caller, callback(route)));
            // Counts last, so that immediate answers do not end the merge before its alarm exists.
            received("", null);
        }

        private ListsByCaller<T> list(ServerRoute route) {
            return route.lists().of(kind);
        }

        private ListsByCaller.Callback<T> callback(ServerRoute route) {
            return ListsByCaller.Callback.of(
                    items -> {
                        log.received(kind, route.server(), caller);
                        received(route.server(), items);
                    },
                    why -> failed(route, why));
        }

        private void failed(ServerRoute route, Failure why) {
            log.failed(kind, route.upstream().status(), caller, why);
            received(route.server(), null);
        }

        private void received(String server, @Nullable List<T> items) {
            Optional<MergedList<T>> complete;
            lock.lock();
            try {
                if (items != null) {
                    answers.put(server, items);
                }
                ended.add(server);
                complete = ended.size() > routes.all().size() ? finish() : Optional.empty();
            } finally {
                lock.unlock();
            }
            complete.ifPresent(list -> {
                alarm.cancel();
                deliver(list);
            });
        }

        private void timeOut() {
            Optional<MergedList<T>> incomplete;
            Set<String> inTime;
            lock.lock();
            try {
                incomplete = finish();
                inTime = Set.copyOf(ended);
            } finally {
                lock.unlock();
            }
            incomplete.ifPresent(list -> {
                routes.all().stream()
                        .filter(route -> !inTime.contains(route.server()))
                        .forEach(this::late);
                deliver(list);
            });
        }

        private void late(ServerRoute route) {
            log.late(kind, route.upstream().status(), caller, MAX_WAIT);
            list(route).of(caller).onWaitTimeout(MAX_WAIT);
        }

        private void deliver(MergedList<T> list) {
            log.omitted(list.leftOut());
            then.accept(list);
        }

        @GuardedBy("lock")
        private Optional<MergedList<T>> finish() {
            if (isOver) {
                return Optional.empty();
            }
            isOver = true;
            for (var route : routes.all()) {
                if (!answers.containsKey(route.server())) {
                    list(route).of(caller).noteMissing();
                }
            }
            return Optional.of(merged(kind, routes, answers));
        }
    }

    /**
     * A merged list, and the lists that it was merged from.
     *
     * @param answers by server, each the same object that the server's list returned
     */
    private record Kept<T>(ListKind<T> kind, RoutingTable routes, Map<String, List<T>> answers, MergedList<T> list) {

        private <U> Optional<MergedList<U>> of(
                ListKind<U> otherKind, RoutingTable otherRoutes, Map<String, List<U>> others) {
            if (!kind.equals(otherKind) || routes != otherRoutes || answers.size() != others.size()) {
                return Optional.empty();
            }
            for (var other : others.entrySet()) {
                if (!isSame(answers.get(other.getKey()), other.getValue())) {
                    return Optional.empty();
                }
            }
            // Lists of one kind have elements of one type.
            @SuppressWarnings("unchecked")
            var same = (MergedList<U>) list;
            return Optional.of(same);
        }

        /** Comparing the elements would take as long as a merge. */
        @SuppressWarnings("ReferenceEquality")
        private static boolean isSame(@Nullable List<?> one, List<?> other) {
            return one == other;
        }
    }

    /**
     * Logs missing lists and omitted elements. Logs an omission once, and a missing list when it begins and when its
     * cause changes, since the same lists are merged often. Any thread may use it.
     */
    private static final class MissingListLog {
        /** The most messages that are remembered; later ones are not logged. */
        private static final int LIMIT = 1_000;

        private static final int MOST_AT_ONCE = 10;
        private static final int LONGEST_CAUSE = 400;
        /** The cause of each list that does not come in time. */
        private static final String LATE = "late";

        private final System.Logger logger;
        private final Set<String> logged = ConcurrentHashMap.newKeySet();
        private final Map<Subject, String> causes = new ConcurrentHashMap<>();

        /**
         * A list that may be missing.
         *
         * @param principal the user, since users may have sessions of their own
         */
        private record Subject(ListKind<?> kind, String server, String principal) {}

        MissingListLog(System.Logger logger) {
            this.logger = logger;
        }

        /** Logs each message once; of many new ones it logs the first and counts the others. */
        void omitted(List<String> messages) {
            var fresh = messages.stream().filter(this::isNew).toList();
            fresh.stream().limit(MOST_AT_ONCE).forEach(this::warn);
            if (fresh.size() > MOST_AT_ONCE) {
                warn("and %d more are left out of the list".formatted(fresh.size() - MOST_AT_ONCE));
            }
        }

        private boolean isNew(String message) {
            return logged.size() < LIMIT && logged.add(message);
        }

        /** Notes that the server has listed, so that the next cause of a missing list is logged. */
        void received(ListKind<?> kind, String server, Caller caller) {
            if (!causes.isEmpty()) {
                causes.remove(new Subject(kind, server, caller.principal().name()));
            }
        }

        void failed(ListKind<?> kind, UpstreamStatus status, Caller caller, Failure why) {
            if (isNewCause(new Subject(kind, status.server(), caller.principal().name()), cause(status, why))) {
                var words = VisibleText.beginning(why.message(), LONGEST_CAUSE);
                warn("the %s of server '%s' are missing from the list: %s".formatted(kind, status.server(), words));
            }
        }

        private static String cause(UpstreamStatus status, Failure why) {
            if (why.code() == ErrorCode.PROVIDER_TIMEOUT) {
                return LATE;
            }
            // While the breaker is open, the failure messages count attempts and milliseconds; the cause stays the
            // same.
            var isHealthy = status.state() == UpstreamStatus.State.HEALTHY;
            return isHealthy || status.error().isEmpty() ? why.message() : status.error();
        }

        void late(ListKind<?> kind, UpstreamStatus status, Caller caller, Duration waited) {
            // A late server often fails in the end. The failure is then the cause, and the next delay is not logged.
            var subject = new Subject(kind, status.server(), caller.principal().name());
            if (!causes.containsKey(subject) && isNewCause(subject, LATE)) {
                var state = status.state().name().toLowerCase(Locale.ROOT);
                warn(
                        "the %s of server '%s' (%s) are missing from the list: it has not listed them within %d ms; clients are notified when it does"
                                .formatted(kind, status.server(), state, waited.toMillis()));
            }
        }

        private boolean isNewCause(Subject subject, String cause) {
            if (causes.size() >= LIMIT && !causes.containsKey(subject)) {
                return false;
            }
            return !cause.equals(causes.put(subject, cause));
        }

        private void warn(String text) {
            logger.log(Level.WARNING, "[mcp-bridge] " + text);
        }
    }
}

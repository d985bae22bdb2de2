package io.mcpbridge.routing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.lists.ListKind;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One merging of one kind of list of all servers: asks them at once and waits for none longer than {@link
 * #PATIENCE}. A server that fails or is late is missing from the list, and what it has counts as a change when it
 * comes.
 */
final class Merging<T> {
    /** How long a list waits for its slowest server. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * What a merging is for.
     *
     * @param routes the servers
     * @param caller who asks
     * @param means whether what a server listed has to hold still
     */
    record Order<T>(Routes routes, Caller caller, ListKind<T> kind, Means means) {}

    /** How servers are asked. */
    enum Means {
        /** Where what was listed last holds no longer. */
        LIST,
        /** Where nothing is known. */
        KNOWN,
        /** Each, but not again within a short time. */
        SOUGHT
    }

    private final Order<T> order;
    private final RoutingLog log;
    private final KeptLists kept;
    private final Consumer<MergedList<T>> then;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, List<T>> answers = new HashMap<>();

    /** The servers that have answered or failed. */
    @GuardedBy("lock")
    private final Set<String> heard = new HashSet<>();

    @GuardedBy("lock")
    private int missing;

    @GuardedBy("lock")
    private boolean isOver;

    private volatile Timekeeper.Alarm alarm = () -> {};

    Merging(Order<T> order, RoutingLog log, KeptLists kept, Consumer<MergedList<T>> then) {
        this.order = order;
        this.log = log;
        this.kept = kept;
        this.then = then;
    }

    void begin(Timekeeper timekeeper) {
        lock.lock();
        try {
            // One more than the servers, so that answers which come at once do not end the merging early.
            missing = order.routes.all().size() + 1;
        } finally {
            lock.unlock();
        }
        alarm = timekeeper.schedule(PATIENCE, this::outOfPatience);
        order.routes.all().forEach(this::ask);
        arrived("", null);
    }

    private void ask(Route route) {
        var list = list(route);
        var answer = new Answer(route);
        switch (order.means) {
            case LIST -> list.list(order.caller, answer);
            case KNOWN -> list.listOnce(order.caller, answer);
            case SOUGHT -> list.seek(order.caller, answer);
        }
    }

    private UpstreamList<T> list(Route route) {
        return route.lists().of(order.kind);
    }

    private void arrived(String server, @Nullable List<T> items) {
        Optional<MergedList<T>> complete;
        lock.lock();
        try {
            if (items != null) {
                answers.put(server, items);
            }
            heard.add(server);
            missing--;
            complete = missing == 0 ? finish() : Optional.empty();
        } finally {
            lock.unlock();
        }
        complete.ifPresent(list -> {
            alarm.cancel();
            tell(list);
        });
    }

    private void outOfPatience() {
        Optional<MergedList<T>> incomplete;
        Set<String> inTime;
        lock.lock();
        try {
            incomplete = finish();
            inTime = Set.copyOf(heard);
        } finally {
            lock.unlock();
        }
        incomplete.ifPresent(list -> {
            order.routes.all().stream()
                    .filter(route -> !inTime.contains(route.server()))
                    .forEach(this::tellLate);
            tell(list);
        });
    }

    private void tellLate(Route route) {
        log.late(order.kind, route.upstream().status(), order.caller, PATIENCE);
        list(route).late(order.caller, PATIENCE);
    }

    private void tell(MergedList<T> list) {
        log.onceEach(list.leftOut());
        then.accept(list);
    }

    @GuardedBy("lock")
    private Optional<MergedList<T>> finish() {
        if (isOver) {
            return Optional.empty();
        }
        isOver = true;
        for (var route : order.routes.all()) {
            if (!answers.containsKey(route.server())) {
                list(route).oweChange(order.caller);
            }
        }
        return Optional.of(kept.of(order.kind, order.routes, answers));
    }

    /** Hears one server's list. */
    private final class Answer implements UpstreamList.Listed<T> {
        private final Route route;

        private Answer(Route route) {
            this.route = route;
        }

        @Override
        public void items(List<T> items) {
            log.there(order.kind, route.server(), order.caller);
            arrived(route.server(), items);
        }

        @Override
        public void failed(Failure why) {
            log.missing(order.kind, route.upstream().status(), order.caller, why);
            arrived(route.server(), null);
        }
    }
}

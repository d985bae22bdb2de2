package io.mcpbridge.engine.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper.Alarm;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.engine.upstream.lists.ListPager.Listing;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One list of one server, for all callers that may share it. Loads the list, tracks its freshness, and answers the
 * waiting callers. Any thread may use it; the lock guards the waiters, and nothing here waits.
 *
 * <p>Callers that ask during a load get its result. A change that the server reports starts a load, with {@link
 * ChangeBackoff}. A list that a connected server does not deliver in
 * time is overdue: callers get a failure at once, and loads are repeated after pauses that double.
 */
public final class ServerList<T> {
    /** A server is asked at most this often for an element that it has not listed. */
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(2);

    private static final Duration FIRST_RETRY_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY_PAUSE = Duration.ofMinutes(1);
    /** The codes of a request whose answer was lost. */
    private static final Set<ErrorCode> LOST = Set.of(ErrorCode.PROVIDER_UNAVAILABLE, ErrorCode.PROVIDER_CRASHED);

    private static final int LONGEST_REASON = 400;
    private static final Alarm NO_ALARM = () -> {};

    private final ServerListsContext context;
    private final ListKind<T> kind;
    private final ListCache<T> cache;
    private final ListsByCaller<T> owner;
    private final LastRunList<T> lastRun;

    /** The number of the last change, of the change before the last load, and of the last connection. */
    private final AtomicLong lastChange;

    private volatile long listedChange = -1;
    private final AtomicLong openedChange = new AtomicLong();
    private volatile long validUntil;
    private volatile @Nullable Caller lastCaller;
    private volatile Map<String, String> rejected = Map.of();
    private volatile @Nullable Failure lastFailure;
    private final AtomicReference<@Nullable Failure> overdue = new AtomicReference<>();
    private final AtomicReference<Duration> retryPause = new AtomicReference<>(FIRST_RETRY_PAUSE);
    private final AtomicBoolean wasMissing = new AtomicBoolean();

    /** How many changes the server has reported since the last load. */
    private final AtomicInteger reports = new AtomicInteger();

    private final ChangeBackoff changes;
    private final AtomicReference<Alarm> expiryAlarm = new AtomicReference<>(NO_ALARM);
    private final AtomicReference<Alarm> retryAlarm = new AtomicReference<>(NO_ALARM);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Waiter<T>> waiters = new ArrayList<>();

    /** Written under the lock. */
    private volatile boolean isLoading;

    /** Written under the lock, or by the load that is under way. */
    private volatile long nextLookup;

    ServerList(
            ServerListsContext context,
            ListKind<T> kind,
            ListCache<T> cache,
            ListsByCaller<T> owner,
            @Nullable ListFile<T> file) {
        this.context = context;
        this.kind = kind;
        this.cache = cache;
        this.owner = owner;
        this.lastRun = new LastRunList<>(context, cache, owner::flaw, file);
        this.lastChange = new AtomicLong(owner.currentChange());
        this.nextLookup = context.nanoTime();
        this.changes = new ChangeBackoff(context, kind);
    }

    /** Returns the last list unless the server has reported a change; else the same as {@link #listOfMany}. */
    void listCached(Caller caller, ListsByCaller.Callback<T> callback) {
        if (isCurrent()) {
            callback.listed(cache.items());
        } else {
            listOfMany(caller, callback);
        }
    }

    /** Returns the last list if it is fresh, or fails if the list is overdue; else loads it. */
    void list(Caller caller, ListsByCaller.Callback<T> callback) {
        list(caller, callback, () -> join(caller, callback));
    }

    /** The same, but while the server is late to connect it has the list loaded for later callers, and fails. */
    void listOfMany(Caller caller, ListsByCaller.Callback<T> callback) {
        list(caller, callback, () -> {
            var late = context.lateToConnect(caller);
            if (late.isEmpty()) {
                join(caller, callback);
            } else {
                answer(callback, late.get());
                loadWithoutWaiting(caller);
            }
        });
    }

    private void list(Caller caller, ListsByCaller.Callback<T> callback, Runnable load) {
        var failure = overdue.get();
        if (isFresh()) {
            callback.listed(cache.items());
        } else if (lastRun.isShown()) {
            callback.listed(cache.items());
            if (failure == null) {
                loadWithoutWaiting(caller);
            }
        } else if (failure != null) {
            answer(callback, failure);
        } else if (lastRun.defers(() -> list(caller, callback, load))) {
            loadWithoutWaiting(caller);
        } else {
            load.run();
        }
    }

    private void loadWithoutWaiting(Caller caller) {
        if (!isLoading) {
            join(caller, ListsByCaller.Callback.of(items -> {}, why -> {}));
        }
    }

    /** Returns the last list unless the server has reported a change or has not listed yet; else loads it. */
    void listCurrent(Caller caller, ListsByCaller.Callback<T> callback) {
        var failure = overdue.get();
        if (isCurrent()) {
            callback.listed(cache.items());
        } else if (failure != null) {
            callback.failed(failure);
        } else {
            join(caller, callback);
        }
    }

    /**
     * Loads the list for a caller that misses an element, unless it was loaded for another such caller a moment ago.
     */
    void listForLookup(Caller caller, ListsByCaller.Callback<T> callback) {
        boolean mayWait;
        boolean begins = false;
        lock.lock();
        try {
            var now = context.nanoTime();
            mayWait = overdue.get() == null && (isLoading || now - nextLookup >= 0);
            if (mayWait) {
                begins = add(new Waiter<>(caller, callback));
                if (begins) {
                    nextLookup = now + LOOKUP_INTERVAL.toNanos();
                }
            }
        } finally {
            lock.unlock();
        }
        if (begins) {
            load(caller);
        } else if (!mayWait) {
            answerLookup(callback);
        }
    }

    private void answerLookup(ListsByCaller.Callback<T> callback) {
        var failure = overdue.get();
        if (listedChange >= 0) {
            callback.listed(cache.items());
        } else if (failure != null) {
            callback.failed(failure);
        } else {
            var words = "server '%s' could not list its %s a moment ago".formatted(server(), kind);
            callback.failed(Objects.requireNonNullElseGet(
                    lastFailure, () -> Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, words)));
        }
    }

    /** Finds an element in the last list; a definition of the last run may be outdated and does not count. */
    Optional<T> find(String key) {
        return listedChange < 0 ? Optional.empty() : cache.find(key);
    }

    /** The last list; does not ask the server. */
    public List<T> cached() {
        return cache.items();
    }

    /** Why an element that the server listed last is not usable; empty if it did not list it. */
    public Optional<String> whyRejected(String key) {
        return Optional.ofNullable(rejected.get(key));
    }

    boolean wasRequested() {
        return lastCaller != null;
    }

    /** The number of the last change. */
    long lastChange() {
        return lastChange.get();
    }

    /** Whether it was loaded since {@code change}, over the connections that are open now. */
    boolean isListedSince(long change) {
        return isCurrent() || listedChange >= Math.max(change, openedChange.get());
    }

    /** Loads the list again if it was requested before; {@code then} runs after that. */
    void reload(String cause, Runnable then) {
        invalidate();
        refresh(cause, then);
    }

    /** The server reports a change. A load that is under way looks for changes when it ends. */
    void onListChanged() {
        reports.incrementAndGet();
        invalidate();
        if (wasRequested() && !isLoading) {
            changes.begin(this::refresh);
        }
    }

    /** A connection is opened, over which the server may list something else. */
    void onConnected() {
        openedChange.accumulateAndGet(invalidate(), Math::max);
    }

    private long invalidate() {
        return lastChange.accumulateAndGet(owner.nextChange(), Math::max);
    }

    /** A caller got a list without this one, so that the next load counts as a change. */
    public void noteMissing() {
        wasMissing.set(true);
    }

    /**
     * A caller has waited this long for the load that is under way, and waits no longer. Until it ends, others do not
     * either; those of {@link #listOfMany} not until the server is connected, if it is not.
     */
    public void onWaitTimeout(Duration waited) {
        var caller = lastCaller;
        if (!isLoading || caller == null) {
            return;
        }
        if (!context.isConnected(caller)) {
            context.markLate(caller, waited);
        } else if (markOverdue(waited)) {
            // Only the first of several callers starts the pause, which would grow with their number otherwise.
            retryAfterPause();
        }
    }

    void clear() {
        replace(expiryAlarm, NO_ALARM);
        replace(retryAlarm, NO_ALARM);
        cache.clear();
    }

    private boolean isCurrent() {
        return listedChange == lastChange.get();
    }

    private boolean isFresh() {
        return isCurrent() && validUntil - context.nanoTime() > 0;
    }

    private boolean isConnected() {
        var caller = lastCaller;
        return caller != null && context.isConnected(caller);
    }

    private void refresh() {
        refresh("", () -> {});
    }

    /** Loads the list on behalf of the last caller unless it is fresh; opens no connection for that. */
    private void refresh(String cause, Runnable then) {
        var caller = lastCaller;
        if (caller != null && context.isConnected(caller) && !isFresh()) {
            join(caller.withCause(cause), ListsByCaller.Callback.of(items -> then.run(), why -> then.run()));
        } else {
            then.run();
        }
    }

    private void join(Caller caller, ListsByCaller.Callback<T> callback) {
        boolean begins;
        lock.lock();
        try {
            begins = add(new Waiter<>(caller, callback));
        } finally {
            lock.unlock();
        }
        if (begins) {
            load(caller);
        }
    }

    /** Adds a waiter; returns whether its caller has to begin the load. */
    @GuardedBy("lock")
    private boolean add(Waiter<T> waiter) {
        waiters.add(waiter);
        var begins = !isLoading;
        isLoading = true;
        return begins;
    }

    private void load(Caller caller) {
        lastCaller = caller.withTrace(TraceParent.NONE).withCause("");
        var load = new Load(caller.cause().isEmpty() ? caller.withCause(context.newCause()) : caller);
        lastRun.readBefore(load.caller.cause(), load::begin);
    }

    private List<Waiter<T>> endLoad() {
        lock.lock();
        try {
            var ended = waiters;
            waiters = new ArrayList<>();
            isLoading = false;
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private void keep(Listing<T> listed, Caller caller, long change) {
        var validity = listed.validity();
        var closed = context.server().closed();
        if (closed.isPresent()) {
            // The catalog may have the tools of a successor of the same name by now.
            endLoad().forEach(each -> each.callback().failed(closed.get()));
            return;
        }
        if (!validity.isForAll()) {
            owner.makePrivate(this, caller);
        }
        rejected = context.remarks().rejected(kind.word(), listed.rejected());
        if (kind == ListKind.TOOLS) {
            context.remarks()
                    .listed(listed.items().stream()
                            .flatMap(item -> context.parts().exposed(kind.key(item)).stream())
                            .toList());
        }
        boolean isChanged;
        List<T> items;
        try {
            isChanged = cache.replace(listed.items(), caller.cause());
            items = cache.items();
        } catch (RuntimeException defect) {
            loadFailed(notKept(defect));
            endOverdue();
            return;
        }
        var wasMissed = wasMissing.getAndSet(false);
        var mayHaveChanged = reports.getAndSet(0) > 1;
        var limits = context.settings().listLimits();
        validUntil = context.nanoTime() + validity.atMost(limits).toNanos();
        // First, since a call may not find a listed tool otherwise.
        listedChange = change;
        lastRun.replace(listed);
        expireLater();
        var ended = endLoad();
        // Not before: until the load ends, the time-out of a caller makes the list overdue, or the server late.
        endOverdue();
        context.clearLate(caller);
        answer(ended, items, validity.isForAll() ? each -> true : each -> each.isBy(caller));
        // One report without a difference was wrong. Of several, one may have undone another, which no load has seen.
        if (isChanged || mayHaveChanged || (wasMissed && !items.isEmpty())) {
            owner.announceChange();
        }
        // The load may miss a change that the server reported meanwhile.
        if (change != lastChange.get()) {
            changes.begin(this::refresh);
        }
    }

    /** Returns the failure for an exception of the catalog, which must not leave callers waiting. */
    private Failure notKept(RuntimeException thrown) {
        var words = "the %s of server '%s' cannot be kept: %s".formatted(kind, server(), thrown.getMessage());
        return Failure.of(ErrorCode.INTERNAL_ERROR, words).withServer(server()).withCause(thrown);
    }

    private void answer(List<Waiter<T>> ended, List<T> items, Predicate<Waiter<T>> isTheirs) {
        for (var each : ended) {
            if (isTheirs.test(each)) {
                each.callback().listed(items);
            } else {
                // The list turned out to be another user's.
                owner.of(each.caller()).list(each.caller(), each.callback());
            }
        }
    }

    private void loadFailed(Failure why) {
        lastFailure = why;
        if (why.delivery() == Delivery.NOT_SENT) {
            // The server was not asked, so the next lookup need not wait.
            nextLookup = context.nanoTime();
        }
        if (isConnected() && why.code() == ErrorCode.PROVIDER_TIMEOUT) {
            var unused = markOverdue(context.settings().timeout());
            retryAfterPause();
        } else {
            overdue.set(null);
            reportMissing(why);
        }
        expireLater();
        endLoad().forEach(each -> answer(each.callback(), why));
    }

    private void answer(ListsByCaller.Callback<T> callback, Failure why) {
        if (isCurrent()) {
            callback.listed(cache.items());
        } else {
            callback.failed(why);
        }
    }

    /** Operators see what the server itself answered; limits and rejections of the bridge are shown elsewhere. */
    private void reportMissing(Failure why) {
        if (isConnected()
                && (why.code() == ErrorCode.UPSTREAM_INVALID
                        || why.serverError().isPresent())) {
            var words = "its %s are missing from the list: %s"
                    .formatted(kind, VisibleText.beginning(why.message(), LONGEST_REASON));
            context.remarks().unlisted(kind, Optional.of(words));
        }
    }

    /** Marks the list as overdue; false if it is already. */
    private boolean markOverdue(Duration waited) {
        var words = "its list of %s has not come for %d s; the bridge asks for it again from time to time"
                .formatted(kind, Math.max(1, waited.toSeconds()));
        var failure = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "server '%s': %s".formatted(server(), words))
                .withDelivery(Delivery.UNKNOWN)
                .withServer(server());
        if (!overdue.compareAndSet(null, failure)) {
            return false;
        }
        context.remarks().unlisted(kind, Optional.of(words));
        return true;
    }

    private void retryAfterPause() {
        var pause = retryPause.getAndUpdate(before -> ChangeBackoff.doubled(before, LONGEST_RETRY_PAUSE));
        replace(retryAlarm, context.after(pause, this::retry));
    }

    private void retry() {
        if (isFresh()) {
            // Only a load for a lookup failed, or the time-out coincided with the end of the load.
            endOverdue();
        } else if (isConnected()) {
            refresh();
        } else {
            // The next caller has the server connected, and waits for that.
            overdue.set(null);
        }
    }

    private void endOverdue() {
        overdue.set(null);
        retryPause.set(FIRST_RETRY_PAUSE);
        replace(retryAlarm, NO_ALARM);
        context.remarks().unlisted(kind, Optional.empty());
    }

    /** The operator may limit the age of a list, since a server may change it without a report. */
    private void expireLater() {
        var limits = context.settings().listLimits();
        if (limits.expires()) {
            replace(expiryAlarm, context.after(limits.ttl(), this::refresh));
        }
    }

    private static void replace(AtomicReference<Alarm> alarm, Alarm next) {
        alarm.getAndSet(next).cancel();
    }

    private String server() {
        return context.name();
    }

    /**
     * One load, and the number of the last change before it, so that a change during the load is not overlooked. A
     * server that does not declare the capability is not asked.
     */
    private final class Load implements ListPager.Listener<T> {
        private final Caller caller;
        private final AtomicBoolean hasRetried = new AtomicBoolean();
        private volatile long change = lastChange.get();

        private Load(Caller caller) {
            this.caller = caller;
        }

        private void begin() {
            if (context.server().profile().isPresent()) {
                askIfDeclared();
            } else {
                // The capabilities of the server are known once a session was opened.
                send(context.server()::connect, Methods.INITIALIZE, "{}", connected -> askIfDeclared());
            }
        }

        private void askIfDeclared() {
            if (context.server()
                    .profile()
                    .filter(profile -> profile.declares(kind.capability()))
                    .isEmpty()) {
                listed(Listing.empty());
                return;
            }
            change = lastChange.get();
            new ListPager<>(kind, server(), context.era(), context.settings().listLimits(), this).begin();
        }

        @Override
        public void request(String method, String params, Consumer<Response> then) {
            send(context.server(), method, params, then);
        }

        private void send(Handler handler, String method, String params, Consumer<Response> then) {
            var asking = caller.withoutSession().withTrace(caller.trace());
            var call = context.parts().call("list", method, params, asking);
            UpstreamParts.sendOwn(handler, call, outcome -> {
                if (!(outcome instanceof Outcome.Failed failed)) {
                    then.accept(((Outcome.Answered) outcome).response());
                } else if (mayRetry(failed.failure())) {
                    send(handler, method, params, then);
                } else {
                    failed(failed.failure());
                }
            });
        }

        /** A list request changes nothing at the server, so it is repeated once if its answer was lost. */
        private boolean mayRetry(Failure why) {
            var isLost = why.delivery() == Delivery.UNKNOWN
                    && why.retryable()
                    && LOST.contains(why.code())
                    && context.parts().retriesCalls();
            return isLost && !hasRetried.getAndSet(true);
        }

        @Override
        public Optional<String> flaw(T element) {
            return kind.flaw(element, context, caller.withoutSession());
        }

        @Override
        public void listed(Listing<T> listed) {
            context.remarks().put(kind, listed.remark());
            owner.filter(listed, usable -> keep(usable, caller, change), ServerList.this::loadFailed);
        }

        @Override
        public void failed(Failure why) {
            loadFailed(why);
        }
    }

    /** A caller that waits for the load. */
    private record Waiter<T>(Caller caller, ListsByCaller.Callback<T> callback) {

        boolean isBy(Caller other) {
            return caller.principal().equals(other.principal());
        }
    }
}

package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.lists.ListPager.Listing;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Notification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One kind of list of one upstream, as each caller may see it. Any thread may use it.
 *
 * <p>Callers who share connections to the server share a list. Where users have connections of their own, each user sees
 * only what the server listed for that user. A list is kept under {@code server}, or {@code server@proof:user}; further
 * ones, for clients with other capabilities, under {@code server#2} and so on.
 *
 * @param <T> one element
 */
public final class ListsByCaller<T> {

    /** Receives a list once; never waits. */
    public interface Callback<T> {

        void listed(List<T> items);

        void failed(Failure why);

        static <T> Callback<T> of(Consumer<List<T>> listed, Consumer<Failure> failed) {
            return new Consumers<>(listed, failed);
        }
    }

    private record Consumers<T>(Consumer<List<T>> ofList, Consumer<Failure> ofFailure) implements Callback<T> {
        @Override
        public void listed(List<T> items) {
            ofList.accept(items);
        }

        @Override
        public void failed(Failure why) {
            ofFailure.accept(why);
        }
    }

    private final ServerListsContext context;
    private final ListKind<T> kind;
    private final Function<String, ListCache<T>> caches;
    private final Consumer<Notification> onChange;
    private final Map<SessionKey, ServerList<T>> lists = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> cacheNumbers = new ConcurrentHashMap<>();

    /** Numbers the changes of all lists, since a caller may get another list later. */
    private final AtomicLong changes = new AtomicLong();

    /** Keeps the list that users share for the next run; null if none is kept. */
    private final @Nullable ListFile<T> file;

    private volatile @Nullable Function<T, Optional<String>> check;

    /** Whether the server has declared that its list is for one user only. */
    private volatile boolean isPrivate;

    /**
     * Makes a list that is not loaded yet.
     *
     * @param caches makes the cache of a list, by its name
     * @param file keeps the shared list for the next run; null if none is kept
     * @param onChange receives the {@code list_changed} of a list that differs from the one before
     */
    ListsByCaller(
            ServerListsContext context,
            ListKind<T> kind,
            Function<String, ListCache<T>> caches,
            @Nullable ListFile<T> file,
            Consumer<Notification> onChange) {
        this.context = context;
        this.kind = kind;
        this.caches = caches;
        this.file = file;
        this.onChange = onChange;
    }

    /**
     * Omits elements that the check rejects; call it before the first list.
     *
     * @param newCheck returns why an element is not usable; runs on a worker and may take a while
     */
    public void checkWith(Function<T, Optional<String>> newCheck) {
        check = newCheck;
    }

    ListKind<T> kind() {
        return kind;
    }

    /**
     * Passes the elements to {@code callback}: at once if the last list is fresh, else after a load for {@code caller}. If
     * the load fails, the last list counts unless the server has reported a change.
     */
    public void list(Caller caller, Callback<T> callback) {
        context.server().claim(caller);
        of(caller).list(caller, callback);
    }

    /** The same as one of the lists of all servers, which do not wait again for a server that is late to connect. */
    public void listOfMany(Caller caller, Callback<T> callback) {
        context.server().claim(caller);
        of(caller).listOfMany(caller, callback);
    }

    /** The same as {@link #listOfMany}, but the last list counts until the server reports a change. */
    public void listCached(Caller caller, Callback<T> callback) {
        context.server().claim(caller);
        of(caller).listCached(caller, callback);
    }

    /** The same as {@link #list}, but the last list counts until then, and that of the last run does not. */
    public void listCurrent(Caller caller, Callback<T> callback) {
        context.server().claim(caller);
        of(caller).listCurrent(caller, callback);
    }

    /** The same for a caller that misses an element: loads the list again, but not within two seconds. */
    public void listForLookup(Caller caller, Callback<T> callback) {
        context.server().claim(caller);
        of(caller).listForLookup(caller, callback);
    }

    /** Finds an element in the last list for {@code caller}; does not ask the server. */
    public Optional<T> find(Caller caller, String key) {
        return of(caller).find(key);
    }

    /** Finds an element in the last list for any caller; does not ask the server. */
    public Optional<T> find(String key) {
        return lists.values().stream().flatMap(list -> list.find(key).stream()).findFirst();
    }

    /** A connection is opened, over which the server may list something else; the next caller has the list loaded. */
    public void onConnected() {
        lists.values().forEach(ServerList::onConnected);
    }

    boolean wasRequested(Caller caller) {
        return sharing(caller).stream().anyMatch(ServerList::wasRequested);
    }

    /** The server has reported a change over the connection of {@code caller}. */
    void onListChanged(Caller caller) {
        sharing(caller).forEach(ServerList::onListChanged);
    }

    /** The server's answer to {@code caller} shows that the list must have changed. */
    void reload(Caller caller) {
        sharing(caller).forEach(list -> list.reload(caller.cause(), () -> {}));
    }

    /** The lists that a report over the connection of {@code caller} is about: a modern server reports to all of a user. */
    private List<ServerList<T>> sharing(Caller caller) {
        var key = key(caller);
        var isModern = context.era() == Era.MODERN;
        var isForAllUsers = context.settings().shared();
        return lists.entrySet().stream()
                .filter(each -> each.getKey().equals(key)
                        || (isModern && (isForAllUsers || each.getKey().hasSamePrincipal(key))))
                .map(Map.Entry::getValue)
                .toList();
    }

    /**
     * Loads again each list that was requested before.
     *
     * @param cause the correlation id of what causes it; the empty string if no call does
     * @param then runs once, after the last load
     */
    public void reload(String cause, Runnable then) {
        var loading = new AtomicInteger(1);
        Runnable ended = () -> {
            if (loading.decrementAndGet() == 0) {
                then.run();
            }
        };
        lists.values().forEach(list -> {
            loading.incrementAndGet();
            list.reload(cause, ended);
        });
        ended.run();
    }

    void clear() {
        lists.values().forEach(ServerList::clear);
    }

    /** The list that {@code caller} may see. */
    public ServerList<T> of(Caller caller) {
        return lists.computeIfAbsent(key(caller), key -> {
            var kept = key.principal().isEmpty() ? file : null;
            return new ServerList<>(context, kind, caches.apply(cacheName(key.principal())), this, kept);
        });
    }

    private SessionKey key(Caller caller) {
        return isPrivate ? SessionKey.ofUser(caller) : SessionKey.of(caller, context.settings());
    }

    private String cacheName(String principal) {
        var name = principal.isEmpty() ? context.name() : context.name() + "@" + principal;
        var number = cacheNumbers
                .computeIfAbsent(principal, absent -> new AtomicInteger())
                .incrementAndGet();
        return number == 1 ? name : name + "#" + number;
    }

    long currentChange() {
        return changes.get();
    }

    long nextChange() {
        return changes.incrementAndGet();
    }

    void announceChange() {
        onChange.accept(kind.changed());
    }

    /** From now on each user has a list; {@code list} belongs to the user of {@code caller}. */
    void makePrivate(ServerList<T> list, Caller caller) {
        if (isPrivate || !context.settings().shared()) {
            return;
        }
        isPrivate = true;
        lists.forEach((key, each) -> {
            if (key.principal().isEmpty() && lists.remove(key, each) && each != list) {
                each.clear();
            }
        });
        lists.put(key(caller), list);
    }

    /** Rejects elements that do not pass the check; runs it on a worker, since it may take a while. */
    void filter(Listing<T> listed, Consumer<Listing<T>> usable, Consumer<Failure> failed) {
        var currentCheck = check;
        if (currentCheck == null || listed.items().isEmpty()) {
            usable.accept(listed);
            return;
        }
        try {
            context.parts().environment().workers().execute(() -> usable.accept(filter(listed, currentCheck)));
        } catch (RejectedExecutionException ended) {
            failed.accept(
                    Failure.of(ErrorCode.SHUTTING_DOWN, "the bridge is ending").withServer(context.name()));
        }
    }

    /** Why an element is not usable; runs on a worker. */
    Optional<String> flaw(T item) {
        var currentCheck = check;
        return currentCheck == null ? Optional.empty() : flaw(item, currentCheck);
    }

    private Listing<T> filter(Listing<T> listed, Function<T, Optional<String>> currentCheck) {
        var items = new ArrayList<T>();
        var rejected = new LinkedHashMap<>(listed.rejected());
        for (var item : listed.items()) {
            flaw(item, currentCheck).ifPresentOrElse(why -> rejected.put(kind.key(item), why), () -> items.add(item));
        }
        return new Listing<>(items, rejected, listed.validity(), listed.remark());
    }

    /** A defect of the check costs one element; the load must end. */
    private Optional<String> flaw(T item, Function<T, Optional<String>> currentCheck) {
        try {
            return currentCheck.apply(item);
        } catch (RuntimeException | LinkageError defect) {
            return Optional.of("it cannot be judged: " + defect);
        }
    }
}

package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.ListSource;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One kind of list of one upstream, listed when somebody asks and again when it changed. Any thread may use it.
 *
 * <p>Callers who share sessions of the server share a list, since a server may list for each session something else.
 * Where users have sessions of their own, nobody sees what was listed for somebody else. A list is kept under {@code
 * server}, or {@code server@proof:user}; further ones, for clients who can be asked other things, under {@code
 * server#2} and so on.
 *
 * @param <T> one element
 */
public final class UpstreamList<T> {

    /** Hears once what the list is; never waits. */
    public interface Listed<T> {

        void items(List<T> items);

        void failed(Failure why);
    }

    private final ListSource source;
    private final Upstream upstream;
    private final ListKind<T> kind;
    private final UnaryOperator<Caller> asking;
    private final Function<String, Shelf<T>> shelves;
    private final Consumer<Notification> onChange;
    private final Map<SessionKey, ServerList<T>> lists = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> places = new ConcurrentHashMap<>();

    /** Numbers the changes of all lists, since a caller may come to have another one. */
    private final AtomicLong changes = new AtomicLong();

    private volatile Sieve<T> sieve = (listed, kept, failed) -> kept.accept(listed);

    /** The server has said that what it lists is for the user alone who asks. */
    private volatile boolean isPrivate;

    /**
     * Makes the list of {@code source}, which nobody has asked for yet.
     *
     * @param shelves makes the place where a list is kept, by its name
     * @param owner knows how callers appear to the server, and who hears of changes
     */
    UpstreamList(ListSource source, ListKind<T> kind, Function<String, Shelf<T>> shelves, UpstreamLists owner) {
        this.source = source;
        this.upstream = source.upstream();
        this.kind = kind;
        this.shelves = shelves;
        this.asking = owner.asking();
        this.onChange = owner.onChange();
    }

    /** Says what nobody can use; before anybody asks. */
    void siftBy(Sieve<T> newSieve) {
        sieve = newSieve;
    }

    ListKind<T> kind() {
        return kind;
    }

    /**
     * Tells {@code listed} the elements, at once if they are known and still hold, else after asking the server for
     * {@code caller}. A server that cannot be asked has listed what it did last.
     */
    public void list(Caller caller, Listed<T> listed) {
        source.asked(caller);
        listOf(caller).list(asking.apply(caller), listed);
    }

    /** The same, but it is enough that they were listed and the server did not say that they have changed. */
    public void listOnce(Caller caller, Listed<T> listed) {
        source.asked(caller);
        listOf(caller).known(asking.apply(caller), listed);
    }

    /**
     * Tells {@code listed} the elements for a caller who wants one that was not listed: the server is asked anew, but not
     * again within two seconds.
     */
    public void seek(Caller caller, Listed<T> listed) {
        source.asked(caller);
        listOf(caller).seek(asking.apply(caller), listed);
    }

    /** One element as it is known to {@code caller}, without asking the server. */
    public Optional<T> find(Caller caller, String key) {
        return listOf(caller).find(key);
    }

    /** One element as it is known to any caller, without asking the server. */
    public Optional<T> find(String key) {
        return lists.values().stream().flatMap(list -> list.find(key).stream()).findFirst();
    }

    /** The elements that are known to {@code caller}, without asking the server. */
    public List<T> known(Caller caller) {
        return listOf(caller).known();
    }

    /** Why an element that was listed for {@code caller} cannot be used by anybody; empty if there was none. */
    public Optional<String> whyLeftOut(Caller caller, String key) {
        return listOf(caller).whyLeftOut(key);
    }

    /** The last word that the elements for {@code caller} may have changed. */
    long lastChange(Caller caller) {
        return listOf(caller).lastChange();
    }

    /** Whether they were listed for {@code caller} since the word {@code change}, in the sessions that are open now. */
    boolean isListedSince(Caller caller, long change) {
        return listOf(caller).isListedSince(change);
    }

    /** A session is opened: what was listed before may be otherwise in it, and is listed again when somebody asks. */
    void outdate() {
        lists.values().forEach(ServerList::opened);
    }

    boolean wasAsked(Caller caller) {
        return sharing(caller).stream().anyMatch(ServerList::wasAsked);
    }

    /** The server has said in the session of {@code caller} that the list changed. */
    void changed(Caller caller) {
        sharing(caller).forEach(ServerList::changed);
    }

    /** The server showed to {@code caller} that the list must have changed. */
    void doubt(Caller caller) {
        sharing(caller).forEach(ServerList::listAgain);
    }

    /** The lists that a word in the session of {@code caller} is about: a modern server has one session for all. */
    private List<ServerList<T>> sharing(Caller caller) {
        var key = key(caller);
        var isOneForAll = upstream.era().filter(Era.MODERN::equals).isPresent();
        var isOfAllUsers = upstream.settings().shared();
        return lists.entrySet().stream()
                .filter(each -> each.getKey().equals(key)
                        || (isOneForAll && (isOfAllUsers || each.getKey().hasSamePrincipal(key))))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Every list may have changed; those that somebody asked for are listed again. */
    public void listAgain() {
        lists.values().forEach(ServerList::listAgain);
    }

    /** {@code caller} was given a list without this server, so its next listing counts as a change. */
    public void oweChange(Caller caller) {
        listOf(caller).oweChange();
    }

    /** {@code caller} has waited for the list for so long, and waits no longer; nobody else shall. */
    public void late(Caller caller, Duration waited) {
        listOf(caller).late(waited);
    }

    /** Forgets what a server listed that is gone. */
    public void forget() {
        lists.values().forEach(ServerList::forget);
    }

    private ServerList<T> listOf(Caller caller) {
        return lists.computeIfAbsent(
                key(caller),
                key -> new ServerList<>(source, kind, shelves.apply(place(key.principal())), new Owning()));
    }

    private SessionKey key(Caller caller) {
        return SessionKey.of(asking.apply(caller), upstream.settings().shared() && !isPrivate);
    }

    private String place(String principal) {
        var place = principal.isEmpty() ? upstream.name() : upstream.name() + "@" + principal;
        var number =
                places.computeIfAbsent(principal, absent -> new AtomicInteger()).incrementAndGet();
        return number == 1 ? place : place + "#" + number;
    }

    /** Takes what a list hears of that is more than its own matter. */
    private final class Owning implements ListOwner<T> {
        @Override
        public AtomicLong changes() {
            return changes;
        }

        @Override
        public void sift(Sifted<T> listed, Consumer<Sifted<T>> kept, Consumer<Failure> failed) {
            sieve.sift(listed, kept, failed);
        }

        @Override
        public void changed() {
            onChange.accept(kind.changed());
        }

        /** From now on each user has a list; the one that shows this belongs to who asked for it. */
        @Override
        public void isPrivate(ServerList<T> list, Caller caller) {
            if (isPrivate || !upstream.settings().shared()) {
                return;
            }
            isPrivate = true;
            lists.forEach((key, each) -> {
                if (key.principal().isEmpty() && lists.remove(key, each) && each != list) {
                    each.forget();
                }
            });
            lists.put(key(caller), list);
        }

        @Override
        public void ask(Caller caller, Listed<T> listed) {
            listOf(caller).list(asking.apply(caller), listed);
        }
    }
}

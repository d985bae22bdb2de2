package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One kind of list of one upstream, listed when somebody asks and again when it changed. Any thread may use it.
 *
 * <p>A shared server has one list. Where users have sessions of their own, each has a list too, kept under {@code
 * server@proof:user}, so that nobody sees what was listed for somebody else.
 *
 * @param <T> one element
 */
public final class UpstreamList<T> {

    /** Hears once what the list is; never waits. */
    public interface Listed<T> {

        void items(List<T> items);

        void failed(Failure why);
    }

    private final Upstream upstream;
    private final ListKind<T> kind;
    private final Function<String, Shelf<T>> shelves;
    private final Consumer<Notification> onChange;
    private final Map<String, ServerList<T>> lists = new ConcurrentHashMap<>();

    /**
     * Makes the list of {@code upstream}, which nobody has asked for yet.
     *
     * @param shelves makes the place where a list is kept, by its name
     * @param onChange hears when a listing after the first one changed something
     */
    UpstreamList(
            Upstream upstream, ListKind<T> kind, Function<String, Shelf<T>> shelves, Consumer<Notification> onChange) {
        this.upstream = upstream;
        this.kind = kind;
        this.shelves = shelves;
        this.onChange = onChange;
    }

    ListKind<T> kind() {
        return kind;
    }

    /** Tells {@code listed} the elements, at once if they are known, else after asking the server for {@code caller}. */
    public void list(Caller caller, Listed<T> listed) {
        listOf(caller).list(caller, listed);
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

    boolean wasAsked() {
        return lists.values().stream().anyMatch(ServerList::wasAsked);
    }

    /** The server's list has changed, so the next one who asks hears the new one. */
    public void invalidate() {
        lists.values().forEach(ServerList::invalidate);
    }

    /** Asks the server again, for whoever asked last; does nothing while nobody has asked yet. */
    public void relist() {
        lists.values().forEach(ServerList::relist);
    }

    /** {@code caller} was given a list without this server, so its next listing counts as a change. */
    public void oweChange(Caller caller) {
        listOf(caller).oweChange();
    }

    /** Forgets what a server listed that is gone. */
    public void forget() {
        lists.values().forEach(ServerList::forget);
    }

    private ServerList<T> listOf(Caller caller) {
        var principal = SessionKey.of(caller, upstream.settings().shared()).principal();
        return lists.computeIfAbsent(principal, absent -> {
            var place = principal.isEmpty() ? upstream.name() : upstream.name() + "@" + principal;
            return new ServerList<>(upstream, kind, shelves.apply(place), () -> onChange.accept(kind.changed()));
        });
    }
}

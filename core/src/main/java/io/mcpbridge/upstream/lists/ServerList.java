package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.ListSource;
import io.mcpbridge.upstream.lists.Askers.Asking;
import io.mcpbridge.upstream.lists.Askers.Place;
import io.mcpbridge.upstream.lists.UpstreamList.Listed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One list of one server, which all callers share that may share its sessions. Any thread may use it.
 *
 * <p>Whoever asks while a listing is under way gets its outcome. The list is kept on a shelf.
 */
final class ServerList<T> {
    private final ListSource source;
    private final ListKind<T> kind;
    private final Shelf<T> shelf;
    private final ListOwner<T> owner;
    private final Askers<T> askers = new Askers<>();
    private final ChangePace pace;
    private final ListTrouble trouble;
    private final ListAge age;
    private final AtomicLong changes;
    private final AtomicLong openedAt = new AtomicLong();
    private final AtomicBoolean owesChange = new AtomicBoolean();
    private volatile long listedAt = -1;
    private volatile long holdsUntil;
    private volatile @Nullable Caller lastCaller;
    private volatile Map<String, String> leftOut = Map.of();

    ServerList(ListSource source, ListKind<T> kind, Shelf<T> shelf, ListOwner<T> owner) {
        this.source = source;
        this.kind = kind;
        this.shelf = shelf;
        this.owner = owner;
        this.changes = new AtomicLong(owner.changes().get());
        this.pace = new ChangePace(source, kind, this::relist);
        this.trouble = new ListTrouble(source, kind, this::isConnected, this::relist);
        this.age = new ListAge(source, this::relist);
    }

    /** What log lines and events of a server's listings are found by. */
    static String correlationId(String server) {
        return "list-" + server;
    }

    /** Tells what was listed last, unless the server has said that it changed; else asks the server. */
    void known(Caller caller, Listed<T> listed) {
        if (isKnown()) {
            listed.items(shelf.items());
        } else {
            list(caller, listed);
        }
    }

    /** The same, but asks also where what was listed last holds no longer; waits for no list that is overdue. */
    void list(Caller caller, Listed<T> listed) {
        var overdue = trouble.overdue();
        if (holds()) {
            listed.items(shelf.items());
        } else if (overdue.isPresent()) {
            tell(listed, overdue.get());
        } else {
            ask(caller, listed);
        }
    }

    private boolean holds() {
        return isKnown() && holdsUntil - source.nanoTime() > 0;
    }

    private void ask(Caller caller, Listed<T> listed) {
        if (askers.join(new Asking<>(caller, listed)) == Place.BEGINS) {
            begin(caller);
        }
    }

    /**
     * The same for somebody who wants what the list does not have: the server is asked again, but not so soon after it was
     * asked for that.
     */
    void seek(Caller caller, Listed<T> listed) {
        if (trouble.overdue().isPresent()) {
            tellSought(listed);
            return;
        }
        switch (askers.seek(new Asking<>(caller, listed), source.nanoTime())) {
            case BEGINS -> begin(caller);
            case JOINS -> {}
            case TOO_SOON -> tellSought(listed);
        }
    }

    private void tellSought(Listed<T> listed) {
        if (listedAt >= 0) {
            listed.items(shelf.items());
        } else {
            var words = "server '%s' could not list its %s a moment ago"
                    .formatted(source.upstream().name(), kind);
            listed.failed(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, words));
        }
    }

    Optional<T> find(String key) {
        return shelf.find(key);
    }

    /** Why an element that the server listed last is not among them; empty if it did not list it. */
    Optional<String> whyLeftOut(String key) {
        return Optional.ofNullable(leftOut.get(key));
    }

    List<T> known() {
        return shelf.items();
    }

    boolean wasAsked() {
        return lastCaller != null;
    }

    void listAgain() {
        outdate();
        relist();
    }

    /** The server says that it changed: lists again, now or, where it says so all the time, later. */
    void changed() {
        outdate();
        // Whatever is under way looks at its end for changes that came meanwhile.
        if (wasAsked() && !askers.isListing()) {
            pace.changed();
        }
    }

    /** A session is opened, in which the server may list something else. */
    void opened() {
        openedAt.accumulateAndGet(outdate(), Math::max);
    }

    private long outdate() {
        return changes.accumulateAndGet(owner.changes().incrementAndGet(), Math::max);
    }

    /** Asks the server again, for whoever asked last; a session is not opened for that. */
    private void relist() {
        var caller = lastCaller;
        if (caller != null && source.isConnected(caller) && !holds()) {
            ask(caller, new Listed<>() {
                @Override
                public void items(List<T> items) {}

                @Override
                public void failed(Failure why) {}
            });
        }
    }

    private boolean isConnected() {
        var caller = lastCaller;
        return caller != null && source.isConnected(caller);
    }

    void oweChange() {
        owesChange.set(true);
    }

    /** Somebody has waited for the listing that is under way for so long, and waits no longer. */
    void late(Duration waited) {
        if (askers.isListing()) {
            trouble.late(waited);
        }
    }

    void forget() {
        age.end();
        trouble.end();
        shelf.clear();
    }

    private boolean isKnown() {
        return listedAt == changes.get();
    }

    long lastChange() {
        return changes.get();
    }

    boolean isListedSince(long change) {
        return isKnown() || listedAt >= Math.max(change, openedAt.get());
    }

    private void begin(Caller caller) {
        lastCaller = caller;
        // Read before the listing, so that a change which comes during it is not overlooked.
        var at = new AtomicLong(changes.get());
        new Listing<>(source, kind, caller, new Listing.Ending<>() {
                    @Override
                    public void asks() {
                        at.set(changes.get());
                    }

                    @Override
                    public void listed(Sifted<T> listed, Validity validity) {
                        owner.sift(listed, kept -> keep(kept, validity, caller, at.get()), ServerList.this::unlisted);
                    }

                    @Override
                    public void failed(Failure why) {
                        unlisted(why);
                    }
                })
                .begin();
    }

    /** What holds no longer is better than nothing. */
    private void unlisted(Failure why) {
        trouble.failed(why);
        age.begin();
        askers.takeAll().forEach(each -> tell(each.listed(), why));
    }

    private void tell(Listed<T> listed, Failure why) {
        if (isKnown()) {
            listed.items(shelf.items());
        } else {
            listed.failed(why);
        }
    }

    private void keep(Sifted<T> sifted, Validity validity, Caller caller, long at) {
        var closed = source.closed();
        if (closed.isPresent()) {
            // The catalog may show a successor of the same name by now.
            askers.takeAll().forEach(each -> each.listed().failed(closed.get()));
            return;
        }
        if (!validity.isForAll()) {
            owner.isPrivate(this, caller);
        }
        trouble.over();
        leftOut = source.leftOut(kind.word(), sifted.leftOut());
        var isChanged = shelf.update(sifted.items());
        var owed = owesChange.getAndSet(false);
        holdsUntil = source.nanoTime()
                + validity.atMost(source.upstream().settings().listLimits())
                        .span()
                        .toNanos();
        listedAt = at;
        age.begin();
        var kept = shelf.items();
        for (var each : askers.takeAll()) {
            if (validity.isForAll() || each.isBy(caller)) {
                each.listed().items(kept);
            } else {
                owner.ask(each.caller(), each.listed());
            }
        }
        if (isChanged || (owed && !kept.isEmpty())) {
            owner.changed();
        }
        // A change that came meanwhile may be missing; whoever told it may have joined the listing that ends here.
        if (at != changes.get()) {
            pace.changed();
        }
    }
}

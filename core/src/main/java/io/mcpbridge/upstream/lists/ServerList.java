package io.mcpbridge.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.ListSource;
import io.mcpbridge.upstream.lists.UpstreamList.Listed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
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
    private final Runnable onChange;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Listed<T>> asking = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isListing;

    private final AtomicLong changes = new AtomicLong();
    private final AtomicBoolean owesChange = new AtomicBoolean();
    private volatile long listedAt = -1;
    private volatile @Nullable Caller lastCaller;

    ServerList(ListSource source, ListKind<T> kind, Shelf<T> shelf, Runnable onChange) {
        this.source = source;
        this.kind = kind;
        this.shelf = shelf;
        this.onChange = onChange;
    }

    /** What log lines and events of a server's listings are found by. */
    static String correlationId(String server) {
        return "list-" + server;
    }

    void list(Caller caller, Listed<T> listed) {
        if (listedAt == changes.get()) {
            listed.items(shelf.items());
            return;
        }
        var begins = false;
        lock.lock();
        try {
            asking.add(listed);
            begins = !isListing;
            isListing = true;
        } finally {
            lock.unlock();
        }
        if (begins) {
            begin(caller);
        }
    }

    Optional<T> find(String key) {
        return shelf.find(key);
    }

    List<T> known() {
        return shelf.items();
    }

    boolean wasAsked() {
        return lastCaller != null;
    }

    void listAgain() {
        changes.incrementAndGet();
        relist();
    }

    /** Asks the server again, for whoever asked last; a session is not opened for that. */
    private void relist() {
        var caller = lastCaller;
        if (caller != null && source.isConnected(caller)) {
            list(caller, new Listed<>() {
                @Override
                public void items(List<T> items) {}

                @Override
                public void failed(Failure why) {}
            });
        }
    }

    void oweChange() {
        owesChange.set(true);
    }

    void forget() {
        shelf.clear();
    }

    private void begin(Caller caller) {
        lastCaller = caller;
        // Read before the listing, so that a change which comes during it is not overlooked.
        var at = changes.get();
        new Listing<>(source, kind, caller, new Listing.Ending<>() {
                    @Override
                    public void listed(List<T> items) {
                        keep(items, at);
                    }

                    @Override
                    public void failed(Failure why) {
                        takeAsking().forEach(each -> each.failed(why));
                    }
                })
                .begin();
    }

    private void keep(List<T> items, long at) {
        var closed = source.closed();
        if (closed.isPresent()) {
            // The catalog may show a successor of the same name by now.
            takeAsking().forEach(each -> each.failed(closed.get()));
            return;
        }
        var isChanged = shelf.update(items);
        var owed = owesChange.getAndSet(false);
        listedAt = at;
        var kept = shelf.items();
        takeAsking().forEach(each -> each.items(kept));
        if (isChanged || (owed && !kept.isEmpty())) {
            onChange.run();
        }
        // A change that came meanwhile may be missing; whoever told it may have joined the listing that ends here.
        if (at != changes.get()) {
            relist();
        }
    }

    private List<Listed<T>> takeAsking() {
        lock.lock();
        try {
            var taken = asking;
            asking = new ArrayList<>();
            isListing = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }
}

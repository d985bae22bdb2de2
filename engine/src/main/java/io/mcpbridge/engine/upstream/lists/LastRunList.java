package io.mcpbridge.engine.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.engine.upstream.lists.ListPager.Listing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The list that a server had when the bridge ran last, for callers that need not wait for the server. It is read before
 * the first load and counts until the server has listed; it admits no call. Its elements are in the cache of the {@link
 * ServerList} that it belongs to. Any thread may use it.
 */
final class LastRunList<T> {
    private final ServerListsContext context;
    private final ListCache<T> cache;
    private final Function<T, Optional<String>> check;
    private final @Nullable ListFile<T> file;

    private volatile boolean counts;

    private final ReentrantLock lock = new ReentrantLock();

    /** Those who asked before the list was read. */
    @GuardedBy("lock")
    private List<Runnable> waiting = new ArrayList<>();

    /** Whether the list was read or none is kept, and is in the cache if it counts. Written under the lock. */
    private volatile boolean isDecided;

    /**
     * Makes a list that is not read yet.
     *
     * @param check returns why an element is not usable
     * @param file null if no list is kept
     */
    LastRunList(
            ServerListsContext context,
            ListCache<T> cache,
            Function<T, Optional<String>> check,
            @Nullable ListFile<T> file) {
        this.context = context;
        this.cache = cache;
        this.check = check;
        this.file = file;
        this.isDecided = file == null;
    }

    /** Whether the cache has this list and none of the server. */
    boolean isShown() {
        return isDecided && counts;
    }

    /** Has {@code listing} run as soon as this list is read; false if it is, or if none is kept. */
    boolean defers(Runnable listing) {
        lock.lock();
        try {
            return !isDecided && waiting.add(listing);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the list on a worker, before the first load.
     *
     * @param cause the correlation id of the load
     * @param load begins the load
     */
    void readBefore(String cause, Runnable load) {
        if (file == null || isDecided) {
            load.run();
            return;
        }
        try {
            context.parts().environment().workers().execute(() -> {
                try {
                    show(file.read(), cause);
                } finally {
                    decide(load);
                }
            });
        } catch (RejectedExecutionException ending) {
            decide(load);
        }
    }

    private void show(List<T> read, String cause) {
        var usable = read.stream().filter(item -> check.apply(item).isEmpty()).toList();
        if (usable.isEmpty() || context.server().closed().isPresent()) {
            return;
        }
        try {
            var unused = cache.replace(usable, cause);
            counts = true;
        } catch (RuntimeException defect) {
            // The load has the same defect, and reports it.
            cache.clear();
        }
    }

    /** Runs those who wait, who get this list if it counts and else wait for the load. */
    private void decide(Runnable load) {
        List<Runnable> decided;
        lock.lock();
        try {
            decided = waiting;
            waiting = List.of();
            isDecided = true;
        } finally {
            lock.unlock();
        }
        try {
            decided.forEach(Runnable::run);
        } finally {
            load.run();
        }
    }

    /** The server has listed: this list no longer counts, and the next run has the new one unless it is for one user. */
    void replace(Listing<T> listed) {
        counts = false;
        if (file != null) {
            file.write(listed.validity().isForAll() ? listed.items() : List.of(), context.era());
        }
    }
}

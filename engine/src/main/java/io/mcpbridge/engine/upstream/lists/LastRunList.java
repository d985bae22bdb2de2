package io.mcpbridge.engine.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.engine.upstream.lists.ListPager.Listing;
import io.mcpbridge.failure.Failure;
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

    /** Needs no lock, since loads run one at a time. */
    private boolean wasRead;

    private volatile boolean counts;

    private final ReentrantLock lock = new ReentrantLock();

    /** The callers that asked before the list was read. */
    @GuardedBy("lock")
    private List<FirstList<T>> waiting = new ArrayList<>();

    /** Whether the list was read, and is in the cache if it counts. Written under the lock. */
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
    }

    /** Whether the cache has this list, or will have it at once, and none of the server. */
    boolean counts() {
        return counts;
    }

    /** Whether this list counts and can be read from the cache. */
    boolean isShown() {
        return isDecided && counts;
    }

    /** Returns a callback that passes on what comes first: this list if it is read and counts, or its own answer. */
    ListsByCaller.Callback<T> firstOf(ListsByCaller.Callback<T> callback) {
        if (file == null) {
            return callback;
        }
        lock.lock();
        try {
            if (isDecided) {
                return callback;
            }
            var first = new FirstList<>(callback);
            waiting.add(first);
            return first;
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
        if (file == null || wasRead) {
            load.run();
            return;
        }
        wasRead = true;
        try {
            context.parts().environment().workers().execute(() -> {
                try {
                    show(file.read(), cause);
                } finally {
                    load.run();
                }
            });
        } catch (RejectedExecutionException ending) {
            decide();
            load.run();
        }
    }

    private void show(List<T> read, String cause) {
        var usable = read.stream().filter(item -> check.apply(item).isEmpty()).toList();
        if (!usable.isEmpty() && context.server().closed().isEmpty()) {
            fill(usable, cause);
        }
        decide();
    }

    private void fill(List<T> usable, String cause) {
        // Before the cache has it, since it must not admit a call.
        counts = true;
        try {
            var unused = cache.replace(usable, cause);
        } catch (RuntimeException defect) {
            // The load has the same defect, and reports it.
            cache.clear();
            counts = false;
        }
    }

    /** Answers those who wait if the list counts; else they wait for the server. */
    private void decide() {
        List<FirstList<T>> decided;
        lock.lock();
        try {
            decided = waiting;
            waiting = List.of();
            isDecided = true;
        } finally {
            lock.unlock();
        }
        if (isShown()) {
            var shown = cache.items();
            decided.forEach(each -> each.listed(shown));
        }
    }

    /** The server has listed: this list no longer counts, and the next run has the new one unless it is for one user. */
    void replace(Listing<T> listed) {
        counts = false;
        if (file != null) {
            file.write(listed.validity().isForAll() ? listed.items() : List.of(), context.era());
        }
    }

    /** Passes on the first answer. */
    private static final class FirstList<T> implements ListsByCaller.Callback<T> {
        private final ListsByCaller.Callback<T> callback;
        private final OneShotEnd end = new OneShotEnd();

        private FirstList(ListsByCaller.Callback<T> callback) {
            this.callback = callback;
        }

        @Override
        public void listed(List<T> items) {
            if (end.end()) {
                callback.listed(items);
            }
        }

        @Override
        public void failed(Failure why) {
            if (end.end()) {
                callback.failed(why);
            }
        }
    }
}

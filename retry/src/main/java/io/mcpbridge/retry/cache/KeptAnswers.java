package io.mcpbridge.retry.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Response;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** Answers with the moment until which they hold; those that were not wanted for longest make room. Any thread. */
final class KeptAnswers {

    /** One answer, and the method that it answers. */
    record Kept(Response response, String method, long until) {}

    private final int mostEntries;
    private final long mostBytes;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final LinkedHashMap<Inquiry, Kept> answers = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long bytes;

    /** Grows when something is dropped; an answer that was on its way by then is not kept. */
    private final AtomicLong epoch = new AtomicLong();

    private volatile int size;

    KeptAnswers(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
    }

    long epoch() {
        return epoch.get();
    }

    int size() {
        return size;
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    Optional<Kept> find(Inquiry inquiry, long now) {
        lock.lock();
        try {
            var kept = answers.get(inquiry);
            if (kept != null && kept.until() - now <= 0) {
                remove(inquiry, kept);
                return Optional.empty();
            }
            return Optional.ofNullable(kept);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps an answer to what was asked in {@code asked}, an earlier epoch or this one. */
    void keep(Inquiry inquiry, Kept kept, long asked) {
        lock.lock();
        try {
            if (asked != epoch.get() || bytesOf(inquiry, kept) > mostBytes) {
                return;
            }
            var before = answers.remove(inquiry);
            bytes += bytesOf(inquiry, kept) - (before == null ? 0 : bytesOf(inquiry, before));
            answers.put(inquiry, kept);
            makeRoom();
            size = answers.size();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the answers to these methods. */
    void drop(Predicate<String> methods) {
        lock.lock();
        try {
            epoch.incrementAndGet();
            for (var entries = answers.entrySet().iterator(); entries.hasNext(); ) {
                var entry = entries.next();
                if (methods.test(entry.getValue().method())) {
                    bytes -= bytesOf(entry.getKey(), entry.getValue());
                    entries.remove();
                }
            }
            size = answers.size();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void makeRoom() {
        Iterator<Map.Entry<Inquiry, Kept>> eldest = answers.entrySet().iterator();
        while (answers.size() > mostEntries || bytes > mostBytes) {
            var entry = eldest.next();
            bytes -= bytesOf(entry.getKey(), entry.getValue());
            eldest.remove();
        }
    }

    @GuardedBy("lock")
    private void remove(Inquiry inquiry, Kept kept) {
        answers.remove(inquiry);
        bytes -= bytesOf(inquiry, kept);
        size = answers.size();
    }

    private static long bytesOf(Inquiry inquiry, Kept kept) {
        return inquiry.length() + (long) kept.response().length();
    }
}

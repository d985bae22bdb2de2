package io.mcpbridge.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The exchanges of one connection that have not ended. Any thread may use it. */
final class OpenExchanges {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<LineExchange> open = new HashSet<>();

    @GuardedBy("lock")
    private int requests;

    void add(LineExchange exchange) {
        lock.lock();
        try {
            open.add(exchange);
            requests += exchange.isRequest() ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    void remove(LineExchange exchange) {
        lock.lock();
        try {
            requests -= open.remove(exchange) && exchange.isRequest() ? 1 : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether somebody still works on an answer. */
    boolean hasRequest() {
        lock.lock();
        try {
            return requests > 0;
        } finally {
            lock.unlock();
        }
    }

    List<LineExchange> takeAll() {
        lock.lock();
        try {
            var all = List.copyOf(open);
            open.clear();
            requests = 0;
            return all;
        } finally {
            lock.unlock();
        }
    }
}

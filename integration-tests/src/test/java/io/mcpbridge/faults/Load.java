package io.mcpbridge.faults;

import io.mcpbridge.Connection;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.testkit.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Callers of {@code victim__count}, each with a new key for each call, until it is closed; keeps how they ended. */
final class Load implements AutoCloseable {
    private final Connection client;
    private final List<Thread> callers;
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final Set<String> notSent = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private volatile boolean isOver;

    Load(Connection client, int callers) {
        this.client = client;
        this.callers = IntStream.range(0, callers)
                .mapToObj(number -> new Thread(() -> call(number), "caller-" + number))
                .toList();
        this.callers.forEach(Thread::start);
    }

    private void call(int caller) {
        for (int i = 0; !isOver; i++) {
            var key = caller + "-" + i;
            var start = System.nanoTime();
            begun.incrementAndGet();
            try {
                client.callTool("victim__count", Map.of("key", key));
                answered.add(key);
            } catch (BridgeException failed) {
                sort(key, failed);
            } catch (InterruptedException stopped) {
                unexpected.add("interrupted");
            }
            ended.incrementAndGet();
            slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
        }
    }

    /** By what the daemon says, in the data of its error, of how far the call got. */
    private void sort(String key, BridgeException failed) {
        var data = failed.failure().serverError().map(ServerError::data).orElse("");
        if (data.contains("\"delivery\":\"unknown\"")) {
            unknown.add(key);
        } else if (data.contains("\"delivery\":\"not_sent\"")) {
            notSent.add(key);
        } else {
            unexpected.add(failed + " " + data);
        }
    }

    /** Waits for so many answers more. */
    void awaitAnswers(int more) {
        var wanted = answered.size() + more;
        Eventually.holds(() -> wanted + " answers; " + this, () -> answered.size() >= wanted);
    }

    int begun() {
        return begun.get();
    }

    int ended() {
        return ended.get();
    }

    Set<String> answered() {
        return answered;
    }

    Set<String> notSent() {
        return notSent;
    }

    /** Failures that do not say how far the call got. */
    List<String> unexpected() {
        return unexpected;
    }

    /** Begins no more calls, and waits for those under way. */
    void finish() {
        isOver = true;
        Eventually.holds("all callers to end", () -> callers.stream().noneMatch(Thread::isAlive));
    }

    @Override
    public void close() {
        finish();
    }

    @Override
    public String toString() {
        return "%d calls: %d answered, %d not sent, %d unknown, %d otherwise; the slowest took %d ms"
                .formatted(
                        ended.get(),
                        answered.size(),
                        notSent.size(),
                        unknown.size(),
                        unexpected.size(),
                        slowest.get() / 1_000_000);
    }
}

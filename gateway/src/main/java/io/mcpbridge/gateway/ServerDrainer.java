package io.mcpbridge.gateway;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Closes removed servers after their last call. Thread-safe. */
final class ServerDrainer {
    /** The polling interval. It is long enough for a call that the old routes resolved to reach its server. */
    static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Environment environment;
    private final Set<ManagedServer> draining = ConcurrentHashMap.newKeySet();

    ServerDrainer(Environment environment) {
        this.environment = environment;
    }

    /** Closes {@code server} once it has no calls, or after {@code timeout}; then runs {@code after}. */
    void drain(ManagedServer server, Duration timeout, Runnable after) {
        draining.add(server);
        scheduleCheck(server, Deadline.after(timeout, environment.timekeeper()), after);
    }

    private void scheduleCheck(ManagedServer server, Deadline deadline, Runnable after) {
        environment.timekeeper().schedule(POLL_INTERVAL, () -> {
            if (server.callsUnderWay() > 0 && !deadline.isExpired()) {
                scheduleCheck(server, deadline, after);
                return;
            }
            environment.workers().execute(() -> {
                server.close();
                draining.remove(server);
                after.run();
            });
        });
    }

    /** Closes these servers and the draining ones in parallel; waits at most {@code timeout}. */
    void close(List<ManagedServer> servers, Duration timeout) {
        var all = new ArrayList<>(servers);
        all.addAll(draining);
        var open = new CountDownLatch(all.size());
        for (var server : all) {
            // Not on workers: they may all be blocked by unresponsive servers.
            var thread = new Thread(
                    () -> {
                        try {
                            server.close();
                        } finally {
                            open.countDown();
                        }
                    },
                    "mcp-bridge-close-" + server.name());
            thread.setDaemon(true);
            thread.start();
        }
        await(open, timeout);
    }

    private static void await(CountDownLatch open, Duration timeout) {
        try {
            var inTime = open.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
            assert inTime || open.getCount() > 0;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}

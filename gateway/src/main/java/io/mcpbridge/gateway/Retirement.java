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

/** Closes servers that are not used any more, after the calls that they still have. Any thread. */
final class Retirement {
    /** How often it is looked; long enough that a call which was routed by the old table has arrived at the first. */
    static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final Environment environment;
    private final Set<ManagedServer> retiring = ConcurrentHashMap.newKeySet();

    Retirement(Environment environment) {
        this.environment = environment;
    }

    /** Closes {@code server} once it has no calls, or when {@code patience} ends; then runs {@code after}. */
    void begin(ManagedServer server, Duration patience, Runnable after) {
        retiring.add(server);
        lookLater(server, Deadline.after(patience, environment.timekeeper()), after);
    }

    private void lookLater(ManagedServer server, Deadline deadline, Runnable after) {
        environment.timekeeper().schedule(LOOK_AGAIN, () -> {
            if (server.callsUnderWay() > 0 && !deadline.isExpired()) {
                lookLater(server, deadline, after);
                return;
            }
            environment.workers().execute(() -> {
                server.close();
                retiring.remove(server);
                after.run();
            });
        });
    }

    /** Closes these servers and those that retire, all at once, waiting {@code patience} at the longest. */
    void close(List<ManagedServer> servers, Duration patience) {
        var all = new ArrayList<>(servers);
        all.addAll(retiring);
        var open = new CountDownLatch(all.size());
        for (var server : all) {
            // Threads of their own: the workers may all be waiting for servers that do not answer.
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
        await(open, patience);
    }

    private static void await(CountDownLatch open, Duration patience) {
        try {
            var inTime = open.await(patience.toNanos(), TimeUnit.NANOSECONDS);
            assert inTime || open.getCount() > 0;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}

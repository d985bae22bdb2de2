package io.mcpbridge;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.GaugeReading;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The result of a health check of a server.
 *
 * @param server its configured name
 * @param status its status
 * @param latency the time until the answer or the failure
 * @param error why it is not healthy, or the empty string
 * @param readings measurements of its stages and lists, such as {@code breaker.state} and {@code catalog.left-out}
 */
public record ServerHealth(String server, Status status, Duration latency, String error, List<GaugeReading> readings) {

    public ServerHealth {
        readings = List.copyOf(readings);
    }

    /** The status of a server. */
    public enum Status {
        /** It answered. */
        HEALTHY,
        /**
         * It did not answer, and the bridge reconnects; or its circuit breaker is open; or it does not answer list
         * requests.
         */
        DEGRADED,
        /** It did not answer, and reconnecting has ended. */
        UNAVAILABLE
    }

    /** Whether the server answered, accepts calls and answers list requests. */
    public boolean isHealthy() {
        return status == Status.HEALTHY;
    }

    /**
     * Checks servers with a GET of their {@code healthCheckUrl}, or with a ping if they have none. Waits for each
     * server at most for its time-out.
     */
    record HealthCheck(ProgramEngine engine) {
        /** The most workers that check servers together with the calling thread. */
        private static final int MOST_HELPERS = 15;

        ServerHealth of(ServerRoute route) throws InterruptedException {
            var settings = route.upstream().settings();
            var begun = engine.environment().timekeeper().nanoTime();
            var complaint = settings.healthCheckUrl().isPresent()
                    ? new HealthPage(
                                    settings.healthCheckUrl().get(),
                                    settings.timeout(),
                                    engine.environment().timekeeper())
                            .complaint()
                    : engine.ping(route).map(Failure::message);
            var latency = Duration.ofNanos(engine.environment().timekeeper().nanoTime() - begun);
            // A server may answer a ping and still fail its calls or its list requests.
            var trouble = complaint.or(() -> route.upstream().degradation().map(Outage::why));
            var status = trouble.isEmpty() ? Status.HEALTHY : troubled(route);
            return new ServerHealth(
                    settings.name(),
                    status,
                    latency,
                    trouble.orElse(""),
                    route.readings().get());
        }

        private static Status troubled(ServerRoute route) {
            return route.upstream().status().state() == UpstreamStatus.State.UNAVAILABLE
                    ? Status.UNAVAILABLE
                    : Status.DEGRADED;
        }

        /** Checks all of them at the same time, and waits for the slowest. */
        Map<String, ServerHealth> ofAll(List<ServerRoute> routes) throws InterruptedException {
            var checks = routes.stream()
                    .map(route -> new FutureTask<>(() -> asked(route)))
                    .toList();
            // Any number of threads may run this together: a check that runs already or has ended returns at once.
            Runnable round = () -> checks.forEach(FutureTask::run);
            try {
                // The first thread that reaches a check runs it, so a busy pool cannot delay this thread.
                help(round, Math.min(MOST_HELPERS, checks.size() - 1));
                round.run();
                var health = new LinkedHashMap<String, ServerHealth>();
                for (var check : checks) {
                    var result = result(check);
                    health.put(result.server(), result);
                }
                return health;
            } finally {
                checks.forEach(check -> check.cancel(true));
            }
        }

        private void help(Runnable round, int helpers) {
            for (int i = 0; i < helpers; i++) {
                try {
                    engine.environment().workers().execute(round);
                } catch (RejectedExecutionException busy) {
                    return;
                }
            }
        }

        private static ServerHealth result(FutureTask<ServerHealth> check) throws InterruptedException {
            try {
                return check.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof InterruptedException interrupted) {
                    Thread.interrupted();
                    throw interrupted;
                }
                throw new IllegalStateException("a health check ended in a defect of the bridge", failed.getCause());
            }
        }

        private ServerHealth asked(ServerRoute route) throws InterruptedException {
            try {
                return of(route);
            } catch (InterruptedException interrupted) {
                // The task catches the exception. The flag stops this thread from checking the next server.
                Thread.currentThread().interrupt();
                throw interrupted;
            }
        }

        /** The health page of a server. A check waits for the head of the response until its time-out. */
        private record HealthPage(URI url, Duration timeout, Timekeeper timekeeper) {
            /** Returns why the server is not healthy; empty after a status of 2xx. Follows no redirect. */
            private Optional<String> complaint() {
                try {
                    var status = status();
                    return status / 100 == 2
                            ? Optional.empty()
                            : Optional.of(
                                    "'%s' answered with HTTP status %d; 2xx would be healthy".formatted(url, status));
                } catch (IOException failed) {
                    return Optional.of("'%s' gave no answer within %d ms: %s"
                            .formatted(
                                    url,
                                    timeout.toMillis(),
                                    Optional.ofNullable(failed.getMessage()).orElse(failed.toString())));
                }
            }

            private int status() throws IOException {
                var connection = (HttpURLConnection) url.toURL().openConnection();
                var millis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
                connection.setConnectTimeout(millis);
                connection.setReadTimeout(millis);
                connection.setInstanceFollowRedirects(false);
                connection.setUseCaches(false);
                // The next check comes much later, and an idle connection would hold a thread of the JDK.
                connection.setRequestProperty("Connection", "close");
                // The other two time-outs restart with each packet; this one limits the whole check.
                var isLate = new AtomicBoolean();
                var alarm = timekeeper.schedule(timeout, () -> {
                    isLate.set(true);
                    connection.disconnect();
                });
                try {
                    var status = connection.getResponseCode();
                    if (isLate.get()) {
                        throw new SocketTimeoutException("the answer is not complete");
                    }
                    return status;
                } finally {
                    alarm.cancel();
                    connection.disconnect();
                }
            }
        }
    }
}

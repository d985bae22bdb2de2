package io.mcpbridge;

import io.mcpbridge.ServerHealth.Status;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.routing.Route;
import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.upstream.UpstreamState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;

/**
 * Asks servers for a sign of life: at their {@code healthCheckUrl} where they have one, else by a ping. No server is
 * waited for longer than its time-out.
 */
final class HealthCheck {
    /** How many workers help to ask many servers; the thread that wants to know asks too. */
    private static final int MOST_HELPERS = 15;

    private final Engine engine;

    HealthCheck(Engine engine) {
        this.engine = engine;
    }

    ServerHealth of(Route route) throws InterruptedException {
        var settings = route.upstream().settings();
        var begun = engine.timekeeper().nanoTime();
        var complaint = settings.healthCheckUrl().isPresent()
                ? new HealthPage(settings.healthCheckUrl().get(), settings.timeout(), engine.timekeeper()).complaint()
                : engine.ping(route).map(Failure::message);
        var latency = Duration.ofNanos(engine.timekeeper().nanoTime() - begun);
        // A server that answers this, and fails at its calls or has no list that can be read, is not well.
        var trouble = complaint.or(() -> route.upstream().trouble().map(HeldOff::why));
        var status = trouble.isEmpty() ? Status.HEALTHY : troubled(route);
        return new ServerHealth(
                settings.name(),
                status,
                latency,
                trouble.orElse(""),
                route.stages().readings());
    }

    private static Status troubled(Route route) {
        return route.upstream().status().state() == UpstreamState.UNAVAILABLE ? Status.UNAVAILABLE : Status.DEGRADED;
    }

    /** Asks all of them at the same time, and waits for the slowest. */
    Map<String, ServerHealth> ofAll(List<Route> routes) throws InterruptedException {
        var questions = new ArrayList<FutureTask<ServerHealth>>();
        routes.forEach(route -> questions.add(new FutureTask<>(() -> asked(route))));
        var round = new Round(questions);
        try {
            // A task runs once, whoever comes to it first: no busy pool of workers can hold this thread up.
            round.help(engine, Math.min(MOST_HELPERS, questions.size() - 1));
            round.run();
            return round.answers();
        } finally {
            questions.forEach(question -> question.cancel(true));
        }
    }

    private ServerHealth asked(Route route) throws InterruptedException {
        try {
            return of(route);
        } catch (InterruptedException interrupted) {
            // A future takes the exception for its own; the thread has to know of it too, to ask no other server.
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    /** Questions to many servers, which any number of threads may ask together. */
    private record Round(List<FutureTask<ServerHealth>> questions) implements Runnable {

        private void help(Engine engine, int helpers) {
            for (int i = 0; i < helpers; i++) {
                try {
                    engine.workers().execute(this);
                } catch (RejectedExecutionException busy) {
                    return;
                }
            }
        }

        @Override
        public void run() {
            // One that runs already or has ended is passed over at once.
            questions.forEach(FutureTask::run);
        }

        private Map<String, ServerHealth> answers() throws InterruptedException {
            var health = new LinkedHashMap<String, ServerHealth>();
            for (var question : questions) {
                var answer = answer(question);
                health.put(answer.server(), answer);
            }
            return health;
        }

        private static ServerHealth answer(FutureTask<ServerHealth> question) throws InterruptedException {
            try {
                return question.get();
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof InterruptedException interrupted) {
                    Thread.interrupted();
                    throw interrupted;
                }
                throw new IllegalStateException("a health check ended in a defect of the bridge", failed.getCause());
            }
        }
    }
}

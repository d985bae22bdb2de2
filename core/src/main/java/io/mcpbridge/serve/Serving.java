package io.mcpbridge.serve;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.ParkingSettings;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.calls.ClientLimits;
import io.mcpbridge.downstream.calls.ClientNews;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.translate.ParkedCalls;
import io.mcpbridge.translate.ServerSide;
import io.mcpbridge.translate.Translation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** What a server consists of from its start to its end; {@link #handler} shows the way of a call. */
final class Serving implements AutoCloseable {
    /** How long calls that were withdrawn may take to end, so that the audit hears of it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final OwnEnvironment lease;
    private final ExecutorService threads = CallThreads.open();
    private final Clients clients;
    private final Places places;

    Serving(ServerOptions options, String version, ToolRegistry tools, AuditTrail trail) {
        lease = OwnEnvironment.of(options);
        var environment = lease.environment();
        places = places(options, lease, threads);
        var parts = new RunParts(trail, threads, options.clock(), environment.timekeeper());
        clients = new Clients(
                new DownstreamParts(
                        handler(options.name(), new ServedTools(tools, parts), environment),
                        environment,
                        ServerCard.ofTools(options.name(), version, options.instructions()),
                        options::callTimeout,
                        ClientLimits.DEFAULTS,
                        (caller, tool) -> tools.schema(tool),
                        ClientNews.NOBODY),
                trail::note);
    }

    /** Makes the places where it listens; if one cannot be made, nothing is left of the others. */
    private static Places places(ServerOptions options, OwnEnvironment lease, ExecutorService threads) {
        try {
            return new Places(options, lease.environment());
        } catch (RuntimeException | Error failed) {
            threads.shutdown();
            lease.close();
            throw failed;
        }
    }

    /** What a call passes before it comes to the tools, which ask their client as servers of the legacy era do. */
    private static Handler handler(String name, Handler tools, Environment environment) {
        var side = new ServerSide(name, () -> Optional.of(Era.LEGACY), tools, environment);
        var parked = new ParkedCalls(ParkingSettings.DEFAULTS, environment);
        return Pipeline.of(
                List.of(new OneOutcome(environment.logger()), new OverallDeadline()),
                new Translation(side, tools, parked));
    }

    /** Opens the places where it listens; {@code gone} runs when the client on standard input has left. */
    void open(Runnable gone) {
        places.open(clients, gone);
    }

    Places places() {
        return places;
    }

    /** Tells clients that there are other tools than before. */
    void toolsChanged() {
        clients.tell(Notification.of(Methods.TOOLS_LIST_CHANGED));
    }

    /** Ends everything; calls under way are answered that the server shuts down. */
    @Override
    public void close() {
        places.stopAccepting();
        clients.close(CancelReason.SHUTTING_DOWN);
        threads.shutdown();
        try {
            if (!threads.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException hurried) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
        places.close();
        lease.close();
    }
}

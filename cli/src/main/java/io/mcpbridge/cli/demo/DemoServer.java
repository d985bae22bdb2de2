package io.mcpbridge.cli.demo;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.calls.ClientLimits;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.upstream.introduction.Identity;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** One of the demonstration's servers, over any of our listeners. Whoever makes it closes it. */
public final class DemoServer implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);

    private final Listener listener;
    private final Clients clients;
    private final UnaryOperator<Intake> around;

    private DemoServer(String kind, Settings settings, Environment environment, UnaryOperator<Intake> around) {
        var tools = new DemoTools(kind, environment.timekeeper(), new DemoPages(kind));
        var handler = Pipeline.of(List.of(new OneOutcome(environment.logger())), tools);
        var card = new ServerCard("mcp-bridge-demo-" + kind, Identity.OURS.version(), "");
        this.clients =
                new Clients(new DownstreamParts(handler, environment, card, () -> CALL_TIMEOUT, ClientLimits.DEFAULTS));
        this.listener = Providers.of(ListenerProvider.class).named(kind).create(settings, environment);
        this.around = around;
    }

    /** Over our own standard streams; {@code around} sees the intake of the one client. */
    public static DemoServer stdio(Environment environment, UnaryOperator<Intake> around) {
        return new DemoServer("stdio", Settings.of(Map.of()), environment, around);
    }

    static DemoServer unix(Path socket, Environment environment) {
        return new DemoServer(
                "unix", Settings.of(Map.of("path", socket.toString())), environment, UnaryOperator.identity());
    }

    static DemoServer http(Environment environment) {
        return new DemoServer("http", Settings.of(Map.of("port", 0)), environment, UnaryOperator.identity());
    }

    /** Begins to serve. */
    public void start() {
        listener.start(peer -> clients.connected(peer).map(around));
    }

    URI address() {
        return listener.address();
    }

    @Override
    public void close() {
        listener.close();
        clients.close(CancelReason.SHUTTING_DOWN);
    }
}

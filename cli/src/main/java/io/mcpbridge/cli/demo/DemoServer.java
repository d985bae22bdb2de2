package io.mcpbridge.cli.demo;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.session.Clients;
import io.mcpbridge.engine.session.DownstreamParts;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.engine.session.ServerCard;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A demo server over one of our listeners. The caller closes it. */
public final class DemoServer implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);

    private final Listener listener;
    private final Clients clients;
    private final UnaryOperator<Intake> around;

    private DemoServer(String kind, Settings settings, Environment environment, UnaryOperator<Intake> around) {
        var served = new DemoHandler(kind, environment.timekeeper());
        var handler = new Pipeline().handler(call -> served.handle(call, call), environment.logger());
        var card = new ServerCard("mcp-bridge-demo-" + kind, BridgeIdentity.OURS.version(), "");
        this.clients =
                new Clients(new DownstreamParts(handler, environment, card, () -> CALL_TIMEOUT, ClientLimits.DEFAULTS));
        this.listener = Providers.of(ListenerProvider.class).named(kind).create(settings, environment);
        this.around = around;
    }

    /** Over our standard streams; {@code around} wraps the intake of the client. */
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

    /** Starts to serve. */
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

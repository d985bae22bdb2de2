package io.mcpbridge.cli.demo;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.ClientSide;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A demo server over one of our listeners. The caller closes it. */
public final class DemoServer implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);

    private final Listener listener;
    private final ClientSide clients;
    private final Runnable onEnd;

    private DemoServer(String kind, Settings settings, Environment environment, Runnable onEnd) {
        var served = new DemoHandler(kind, environment.timekeeper());
        this.clients = ClientSide.ofHandler("mcp-bridge-demo-" + kind, served, () -> CALL_TIMEOUT, environment);
        this.listener = Providers.of(ListenerProvider.class).named(kind).create(settings, environment);
        this.onEnd = onEnd;
    }

    /**
     * Over our standard streams.
     *
     * @param onEnd runs when the client has disconnected
     */
    public static DemoServer stdio(Environment environment, Runnable onEnd) {
        return new DemoServer("stdio", Settings.of(Map.of()), environment, onEnd);
    }

    static DemoServer unix(Path socket, Environment environment) {
        return new DemoServer("unix", Settings.of(Map.of("path", socket.toString())), environment, () -> {});
    }

    static DemoServer http(Environment environment) {
        return new DemoServer("http", Settings.of(Map.of("port", 0)), environment, () -> {});
    }

    /** Starts to serve. */
    public void start() {
        listener.start(clients.onClosed(onEnd));
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

package io.mcpbridge.gateway;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** The listeners of the daemon. One thread starts them; any thread may stop and close them. */
final class Listeners implements AutoCloseable {
    private final Providers<ListenerProvider> providers;
    private final Environment environment;
    private final List<Listener> started = new CopyOnWriteArrayList<>();

    Listeners(Providers<ListenerProvider> providers, Environment environment) {
        this.providers = providers;
        this.environment = environment;
    }

    /**
     * Creates all listeners, then starts them: wrong settings of one are reported before another is open.
     *
     * @param acceptors the acceptor of a listener, by its name
     * @throws io.mcpbridge.failure.ConfigurationException if a listener is not installed or its settings are wrong
     * @throws io.mcpbridge.failure.TransportException if one cannot be bound; those before it stay open
     */
    void start(Map<String, Settings> sections, Function<String, Acceptor> acceptors) {
        var created = new LinkedHashMap<String, Listener>();
        sections.forEach(
                (name, settings) -> created.put(name, providers.named(name).create(settings, environment)));
        created.forEach((name, listener) -> {
            started.add(listener);
            listener.start(acceptors.apply(name));
            environment.logger().log(Level.INFO, "[mcp-bridge] listening at " + listener.address());
        });
    }

    List<URI> addresses() {
        return started.stream().map(Listener::address).toList();
    }

    void stopAccepting() {
        started.forEach(Listener::stopAccepting);
    }

    /** Closes every connection, those of the last listener first. */
    @Override
    public void close() {
        var reversed = new ArrayList<>(started);
        Collections.reverse(reversed);
        reversed.forEach(Listener::close);
    }
}

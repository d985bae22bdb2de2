package io.mcpbridge.testkit;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Provides {@code memory}: transports that the test creates. Any thread may use it.
 *
 * <p>Tests pass it in, for instance to {@link io.mcpbridge.discovery.Providers}; it is not in a services file.
 */
public final class InMemoryTransportProvider implements TransportProvider {
    private final Supplier<Transport> maker;
    private final List<Transport> made = new CopyOnWriteArrayList<>();

    private InMemoryTransportProvider(Supplier<Transport> maker) {
        this.maker = maker;
    }

    /** Returns a provider whose transports all connect to {@code script}. */
    public static InMemoryTransportProvider to(Script script) {
        return of(() -> InMemoryTransport.to(script));
    }

    /** Returns a provider that takes each transport from {@code maker}, so that one may fail and the next one not. */
    public static InMemoryTransportProvider of(Supplier<Transport> maker) {
        return new InMemoryTransportProvider(maker);
    }

    @Override
    public Id id() {
        return new Id("memory", SPI_VERSION);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        var transport = maker.get();
        made.add(transport);
        return transport;
    }

    /** The transports created so far, in order. */
    public List<Transport> made() {
        return List.copyOf(made);
    }
}

package io.mcpbridge.engine;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.spi.TransportTraits;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Provides {@code held}: connections in the hands of a test. Any thread may use it.
 *
 * <p>Its transports are listed in the order in which they were made; the first of a server is made only to check its
 * settings and is not listed.
 */
final class HeldServers implements TransportProvider {
    private final List<HeldTransport> made = new CopyOnWriteArrayList<>();
    private volatile @Nullable BridgeException unreachable;
    private volatile HeldTransport.Manner manner = HeldTransport.Manner.GREETS;
    private volatile TransportTraits.Shape shape = TransportTraits.Shape.SHARED_STREAM;
    private volatile String capabilities = "{\"tools\":{}}";

    @Override
    public Id id() {
        return new Id("held", SPI_VERSION);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("held");
    }

    @Override
    public Transport create(Settings settings, Environment environment) {
        var transport = new HeldTransport(unreachable, manner, capabilities, shape);
        made.add(transport);
        return transport;
    }

    /** From now on connecting fails. */
    public void unreachable(BridgeException why) {
        unreachable = why;
    }

    /** From now on connecting succeeds. */
    public void reachable() {
        unreachable = null;
    }

    /** From now on servers declare these capabilities, a JSON object. */
    public void declare(String newCapabilities) {
        capabilities = newCapabilities;
    }

    /** From now on the test answers handshakes itself. */
    public void holdHandshakes() {
        manner = HeldTransport.Manner.WAITS;
    }

    /** From now on nothing is answered but by the test, not even {@code server/discover}. */
    public void answerNothing() {
        manner = HeldTransport.Manner.SILENT;
    }

    /** From now on the servers are of the modern era. */
    public void modern() {
        manner = HeldTransport.Manner.MODERN;
    }

    /** From now on the servers are of the legacy era again and answer handshakes. */
    public void legacy() {
        manner = HeldTransport.Manner.GREETS;
    }

    /** From now on each request has a stream of its own, as over HTTP. */
    public void streamPerRequest() {
        shape = TransportTraits.Shape.STREAM_PER_REQUEST;
    }

    /** The connections that were really used, oldest first. */
    public List<HeldTransport> connections() {
        return made.stream().filter(each -> !each.messages().isEmpty()).toList();
    }

    /** The newest connection. */
    public HeldTransport connection() {
        return made.get(made.size() - 1);
    }

    /** Every transport that was made, the ones that only checked settings included. */
    public List<HeldTransport> made() {
        return List.copyOf(made);
    }
}

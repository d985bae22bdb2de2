package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.stream.ClientStreamLimits;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.contract.ListenerContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;

/** The stdio listener keeps what every listener promises, as far as there can be only one client. */
class StdioListenerContractTest extends ListenerContract {
    private final Fixture fixture = new Fixture();
    private final Pipe toListener = pipe();
    private final Pipe toClient = pipe();
    private boolean isConnected;
    private boolean hasStopped;

    @AfterEach
    void close() {
        fixture.close();
    }

    @Override
    protected Listener listener() {
        var settings = new StdioListenerSettings(Duration.ofMillis(200), ClientStreamLimits.DEFAULTS);
        var in = Channels.newInputStream(toListener.source());
        var out = Channels.newOutputStream(toClient.sink());
        return new Watched(new StdioListener(settings, fixture.environment, in, out));
    }

    @Override
    protected RawClient connect(URI address) throws IOException {
        if (hasStopped) {
            throw new IOException("there is no second client");
        }
        Assumptions.assumeFalse(isConnected, "standard streams have one client");
        isConnected = true;
        return new LineClient(Channels.newInputStream(toClient.source()), Channels.newOutputStream(toListener.sink()));
    }

    @Override
    protected TransportTraits.Shape shape() {
        return TransportTraits.Shape.SHARED_STREAM;
    }

    private static Pipe pipe() {
        try {
            return Pipe.open();
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    /** Notes that no client may connect any more, which the listener does not report here. */
    private final class Watched implements Listener {
        private final Listener listener;

        Watched(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void start(Acceptor acceptor) {
            listener.start(acceptor);
        }

        @Override
        public URI address() {
            return listener.address();
        }

        @Override
        public void stopAccepting() {
            hasStopped = true;
            listener.stopAccepting();
        }

        @Override
        public void close() {
            listener.close();
        }
    }
}

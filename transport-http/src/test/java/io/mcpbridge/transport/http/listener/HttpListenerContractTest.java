package io.mcpbridge.transport.http.listener;

import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.contract.ListenerContract;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.RawHttpClient;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

class HttpListenerContractTest extends ListenerContract {
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();

    @AfterEach
    void end() {
        surroundings.close();
    }

    @Override
    protected Listener listener() {
        return new HttpListenerProvider().create(Settings.of(Map.of("port", 0)), surroundings.environment());
    }

    @Override
    protected RawClient connect(URI address) throws IOException {
        return new RawHttpClient(address);
    }

    @Override
    protected TransportTraits.Shape shape() {
        return TransportTraits.Shape.STREAM_PER_REQUEST;
    }
}

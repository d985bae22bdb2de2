package io.mcpbridge.testkit;

import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.contract.ListenerContract;
import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

class InMemoryListenerTest extends ListenerContract {
    private @Nullable InMemoryListener memory;

    @Override
    protected Listener listener() {
        memory = new InMemoryListener();
        return memory;
    }

    @Override
    protected RawClient connect(URI address) throws IOException {
        return java.util.Objects.requireNonNull(memory).connect();
    }

    @Override
    protected TransportTraits.Shape shape() {
        return TransportTraits.Shape.SHARED_STREAM;
    }
}

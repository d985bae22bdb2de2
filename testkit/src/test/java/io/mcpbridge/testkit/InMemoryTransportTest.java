package io.mcpbridge.testkit;

import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.contract.TransportContract;

class InMemoryTransportTest extends TransportContract {

    @Override
    protected Transport transportToEcho() {
        return InMemoryTransport.to(new EchoScript());
    }

    @Override
    protected Transport unreachableTransport() {
        return InMemoryTransport.unreachable();
    }
}

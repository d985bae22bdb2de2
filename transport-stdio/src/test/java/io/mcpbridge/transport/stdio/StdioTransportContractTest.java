package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.contract.TransportContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The stdio transport keeps what every transport promises; its peers are children. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StdioTransportContractTest extends TransportContract {
    private final Fixture fixture = new Fixture();

    @BeforeAll
    void warmUp() throws Exception {
        var transport = fixture.echo();
        transport.open(new io.mcpbridge.testkit.RecordingReceiver(), fixture.deadline());
        transport.close();
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    @Override
    protected Transport transportToEcho() {
        return fixture.echo();
    }

    @Override
    protected Transport unreachableTransport() {
        return new StdioTransport(Fixture.settings("/no/such/program"), fixture.environment);
    }
}

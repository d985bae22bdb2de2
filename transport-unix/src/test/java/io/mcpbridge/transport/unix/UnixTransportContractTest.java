package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.contract.TransportContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnixTransportContractTest extends TransportContract {

    @RegisterExtension
    final TestEnvironment environment = new TestEnvironment();

    private final List<EchoServer> servers = new ArrayList<>();

    @AfterEach
    void endServers() throws IOException {
        for (var server : servers) {
            server.close();
        }
    }

    @Override
    protected Transport transportToEcho() throws IOException {
        var server = new EchoServer();
        servers.add(server);
        return transportTo(server.start());
    }

    @Override
    protected Transport unreachableTransport() throws IOException {
        var server = new EchoServer();
        server.close();
        return transportTo(server);
    }

    private Transport transportTo(EchoServer server) {
        var settings = Settings.of(Map.of("path", server.path().toString()));
        return new UnixTransportProvider().create(settings, environment.get());
    }
}

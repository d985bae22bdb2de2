package io.mcpbridge.transport.http.client;

import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.contract.TransportContract;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.ScriptHttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class HttpTransportContractTest extends TransportContract {
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();
    private final HttpTransportProvider provider = new HttpTransportProvider();
    private final List<ScriptHttpServer> servers = new ArrayList<>();

    @AfterEach
    void end() {
        servers.forEach(ScriptHttpServer::close);
        surroundings.close();
    }

    @Override
    protected Transport transportToEcho() throws IOException {
        var server = new ScriptHttpServer(new EchoScript());
        servers.add(server);
        return transportTo(server.url());
    }

    @Override
    protected Transport unreachableTransport() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return transportTo(URI.create("http://127.0.0.1:" + free.getLocalPort() + "/mcp"));
        }
    }

    private Transport transportTo(URI url) {
        return provider.create(HttpTransportSettings.of(url), surroundings.environment());
    }
}

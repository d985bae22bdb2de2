package io.mcpbridge.transport.http.client;

import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.contract.TransportContract;
import io.mcpbridge.transport.http.HttpTestEnvironment;
import io.mcpbridge.transport.http.ScriptSseServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class SseTransportContractTest extends TransportContract {
    private final HttpTestEnvironment surroundings = new HttpTestEnvironment();
    private final SseTransportProvider provider = new SseTransportProvider();
    private final List<ScriptSseServer> servers = new ArrayList<>();

    @AfterEach
    void end() {
        servers.forEach(ScriptSseServer::close);
        surroundings.close();
    }

    @Override
    protected Transport transportToEcho() throws IOException {
        var server = new ScriptSseServer(new EchoScript());
        servers.add(server);
        return transportTo(server.url());
    }

    @Override
    protected Transport unreachableTransport() throws IOException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return transportTo(URI.create("http://127.0.0.1:" + free.getLocalPort() + "/sse"));
        }
    }

    @Override
    protected ProtocolVersion version() {
        return ProtocolVersion.V2024_11_05;
    }

    private Transport transportTo(URI url) {
        return provider.create(HttpTransportSettings.of(url), surroundings.environment());
    }
}

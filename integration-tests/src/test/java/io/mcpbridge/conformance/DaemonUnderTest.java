package io.mcpbridge.conformance;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.peers.PeerServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

/**
 * A daemon in this process, at a loopback port, in front of one server whose names it leaves as they are. Closing it
 * closes the server too.
 */
record DaemonUnderTest(Daemon daemon, PeerServer server) implements AutoCloseable {
    private static final String CONFIGURATION = """
            {"mcpServers": {"fixture": %s}, "bridge": {"names": "plain", "listen": {"http": {"port": 0}}}}""";

    static DaemonUnderTest inFrontOf(PeerServer server) {
        var configuration = BridgeConfiguration.parse(
                CONFIGURATION.formatted(server.section()), Path.of("").toAbsolutePath(), Map.of());
        return new DaemonUnderTest(Daemon.start(configuration, DaemonOptions.DEFAULTS), server);
    }

    URI http() {
        return daemon.addresses().stream()
                .filter(address -> address.getScheme().equals("http"))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        daemon.close();
        server.close();
    }
}

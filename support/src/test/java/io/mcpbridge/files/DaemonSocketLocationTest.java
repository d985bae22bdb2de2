package io.mcpbridge.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row D1 of the requirements. */
class DaemonSocketLocationTest {
    private static final Map<String, String> BOTH = Map.of("XDG_RUNTIME_DIR", "/run/user/1000", "HOME", "/home/ann");

    @TempDir
    Path folder;

    @Test
    void daemonListensInTheRuntimeFolder() {
        assertThat(DaemonSocketLocation.in(BOTH).ofDaemon()).hasToString("/run/user/1000/mcp-bridge/bridge.sock");
    }

    @Test
    void daemonWithoutARuntimeFolderListensBelowTheHome() {
        var home = "/home/ann/.local/state/mcp-bridge/run/bridge.sock";

        assertThat(DaemonSocketLocation.in(Map.of("HOME", "/home/ann")).ofDaemon())
                .hasToString(home);
        assertThat(DaemonSocketLocation.in(Map.of("HOME", "/home/ann", "XDG_RUNTIME_DIR", " "))
                        .ofDaemon())
                .hasToString(home);
        assertThat(DaemonSocketLocation.in(Map.of("HOME", "/home/ann", "XDG_RUNTIME_DIR", "relative"))
                        .ofDaemon())
                .hasToString(home);
    }

    @Test
    @DisplayName("argument before variable before file before the well-known paths")
    void clientSearchesItsSourcesInOrder() {
        var location =
                DaemonSocketLocation.in(Map.of("MCP_BRIDGE_SOCKET", "/variable", "XDG_RUNTIME_DIR", "/run/user/1000"));
        var plain = DaemonSocketLocation.in(BOTH);
        var file = Optional.of(Path.of("/file"));

        assertThat(location.ofClient(Optional.of("/argument"), file)).hasToString("/argument");
        assertThat(location.ofClient(Optional.empty(), file)).hasToString("/variable");
        assertThat(plain.ofClient(Optional.empty(), file)).hasToString("/file");
    }

    @Test
    void clientFindsTheSocketInTheRuntimeFolder() throws IOException {
        var socket = folder.resolve("mcp-bridge/bridge.sock");
        Files.createDirectories(socket.getParent());
        Files.createFile(socket);
        var location = DaemonSocketLocation.in(Map.of("XDG_RUNTIME_DIR", folder.toString(), "HOME", "/home/ann"));

        assertThat(location.ofClient(Optional.empty(), Optional.empty())).isEqualTo(socket);
    }

    @Test
    void clientFallsBackToTheSharedPath() throws IOException {
        var shared = Files.createFile(folder.resolve("mcp-bridge.sock"));
        var location = new DaemonSocketLocation(Map.of("XDG_RUNTIME_DIR", folder.toString()), shared);
        assertThat(location.ofClient(Optional.empty(), Optional.empty())).isEqualTo(shared);

        var own = folder.resolve("mcp-bridge/bridge.sock");
        Files.createDirectories(own.getParent());
        Files.createFile(own);

        assertThat(location.ofClient(Optional.empty(), Optional.empty())).isEqualTo(own);
    }

    @Test
    void sharedPathIsTheDocumentedOne() {
        assertThat(DaemonSocketLocation.SHARED).hasToString("/tmp/mcp-bridge.sock");
    }
}

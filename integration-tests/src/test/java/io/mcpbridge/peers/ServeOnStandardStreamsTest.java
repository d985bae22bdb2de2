package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The daemon as the server of one client, which starts it and ends it: {@code mcp-bridge serve --stdio}. */
@Timeout(60)
class ServeOnStandardStreamsTest {
    private final Leftovers leftovers = Leftovers.now();
    private final Path folder;

    ServeOnStandardStreamsTest() throws IOException {
        folder = Files.createTempDirectory("peers");
    }

    @AfterEach
    void close() throws IOException {
        TestDaemon.delete(folder);
        leftovers.assertNone();
    }

    @Test
    void daemonEndsWithItsClientAndRemovesItsSockets() throws Exception {
        try (var daemon = Program.start(command(Map.of()))) {
            daemon.awaitErrorWith("listening at stdio:");
            daemon.endInput();

            assertThat(daemon.awaitOutput()).isEmpty();
        }
        assertThat(folder).isDirectoryNotContaining("glob:**.sock");
    }

    @Test
    void daemonEndsIfItsClientDisconnectsAtOnce() throws Exception {
        try (var daemon = Program.start(command(Map.of()))) {
            daemon.endInput();

            assertThat(daemon.awaitOutput()).isEmpty();
        }
        assertThat(folder).isDirectoryNotContaining("glob:**.sock");
    }

    @Test
    @RequiresPeers
    void typeScriptClientIsServedAndEndsTheDaemon() throws Exception {
        var command = new ArrayList<>(NodePeers.script("client-v1.mjs", "stdio"));
        command.addAll(command(Map.of("everything", NodePeers.everything().section())));

        try (var client = Program.start(command)) {
            assertThat(client.awaitOutput()).contains("\"after\":\"The sum of 19 and 23 is 42.\"", "\"progress\":[1,2");
        }
        // A daemon that had to be killed would have left them.
        assertThat(folder).isDirectoryNotContaining("glob:**.sock");
    }

    private List<String> command(Map<String, String> sections) throws IOException {
        var socket = folder.resolve("b.sock");
        var file = Files.writeString(folder.resolve("mcp.json"), TestDaemon.json(sections, socket));
        return JavaCommand.mcpBridge("serve", "--stdio", "--config", file.toString());
    }
}

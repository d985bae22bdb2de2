package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The file in which a desktop client keeps its servers, read unchanged: the client starts {@code mcp-bridge serve
 * --stdio} instead of each of them.
 */
@RequiresPeers
@Timeout(60)
class DesktopClientTest {
    private final Leftovers leftovers = Leftovers.now();
    private final Path folder;

    DesktopClientTest() throws IOException {
        folder = Files.createTempDirectory("peers");
    }

    @AfterEach
    void close() throws IOException {
        TestDaemon.delete(folder);
        leftovers.assertNone();
    }

    @Test
    void desktopConfigurationFileIsServedUnchanged() throws IOException {
        var file = Files.writeString(folder.resolve("claude_desktop_config.json"), desktopFile());
        var command = JavaCommand.mcpBridge(
                "serve",
                "--stdio",
                "--config",
                file.toString(),
                "--mcp-bridge-socket",
                folder.resolve("b.sock").toString());

        try (var client = SdkClient.connect("desktop", SdkClient.stdio(command))) {
            assertThat(client.sdk.listTools().tools())
                    .extracting(Tool::name)
                    .contains("everything__echo", "typescript__echo")
                    .noneMatch(name -> name.startsWith("off__"));
            assertThat(client.text("everything__echo", Map.of("message", "hi"))).isEqualTo("Echo: hi");
            assertThat(client.text("typescript__echo", Map.of("text", "hi"))).isEqualTo("hi");
        }

        assertThat(file).hasContent(desktopFile());
    }

    /** With what several desktop clients write there, beside what all of them read. */
    private static String desktopFile() {
        return """
                {
                  "globalShortcut": "Ctrl+Space",
                  "mcpServers": {
                    "everything": %s,
                    "typescript": %s,
                    "off": {"command": "npx", "args": ["-y", "some-server"], "disabled": true}
                  },
                  "preferences": {"menuBarEnabled": false}
                }
                """.formatted(
                        NodePeers.everything().section(),
                        NodePeers.typeScriptServer()
                                .section()
                                .replace("{\"command\"", "{\"autoApprove\": [\"echo\"], \"command\""));
    }
}

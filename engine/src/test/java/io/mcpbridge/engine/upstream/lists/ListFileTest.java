package io.mcpbridge.engine.upstream.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.message.Era;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.tool.ToolDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListFileTest {
    private static final String MODERN_TOOL =
            "{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"array\"}}";

    @TempDir
    private Path folder;

    /** A legacy server may not list such a tool, and the era is not known before the server is connected. */
    @Test
    void toolsOfAModernServerAreReadAsTheyWereWritten() {
        var tool = ListKind.TOOLS.parse(MODERN_TOOL, Era.MODERN);
        file().write(List.of(tool), Era.MODERN);

        assertThat(file().read()).containsExactly(tool);
    }

    private ListFile<ToolDefinition> file() {
        var settings = ServerSettings.of("s", "unix", Settings.of(Map.of("path", "/run/s.sock")));
        var environment = Environment.of(new FakeTimekeeper(), Runnable::run, new PlainProcessLauncher());
        return new ListFile<>(ListKind.TOOLS, settings, environment, folder.resolve("tools"));
    }
}

package io.mcpbridge.engine.upstream.lists;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.message.Era;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.ToolDefinition;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListFileTest {
    private static final String MODERN_TOOL =
            "{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"array\"}}";

    private static final String TOOL = "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}";

    private final RecordingLogger log = new RecordingLogger();

    @TempDir
    private Path folder;

    /** A legacy server may not list such a tool, and the era is not known before the server is connected. */
    @Test
    void toolsOfAModernServerAreReadAsTheyWereWritten() {
        var tool = ListKind.TOOLS.parse(MODERN_TOOL, Era.MODERN);
        file(Map.of()).write(List.of(tool), Era.MODERN);

        assertThat(file(Map.of()).read()).containsExactly(tool);
        assertThat(log.lines()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"list-items, 1, 1 elements", "list-bytes, 200B, 200 bytes"})
    void fileBeyondALimitIsIgnored(String limit, String most, String words) {
        var file = file(Map.of(limit, most.endsWith("B") ? most : Integer.valueOf(most)));
        var tools = Stream.of("one", "two").map(name -> ListKind.TOOLS.parse(TOOL.formatted(name), Era.LEGACY));
        file.write(tools.toList(), Era.LEGACY);

        assertThat(file.read()).isEmpty();
        assertThat(log.lines())
                .singleElement()
                .asString()
                .endsWith("is too large and not used; the server replaces it: it has more than " + words);
    }

    private ListFile<ToolDefinition> file(Map<String, Object> more) {
        var keys = new HashMap<>(more);
        keys.put("path", "/run/s.sock");
        var settings = ServerSettings.of("s", "unix", Settings.of(keys));
        var environment = Environment.of(new FakeTimekeeper(), Runnable::run, new PlainProcessLauncher())
                .withLogger(log);
        return new ListFile<>(ListKind.TOOLS, settings, environment, folder.resolve("tools"));
    }
}

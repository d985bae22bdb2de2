package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServeCommandTest {

    @ParameterizedTest
    @CsvSource({
        "serve, true",
        "serve --config mcp.json, true",
        "serve --config --stdio, false",
        "serve --config @words, false",
        "serve --http 7450, false",
        "serve --stdio, false",
        "tools, false",
        "tools --config mcp.json, false"
    })
    void onlyAConfigurationNeedsNoParser(String words, boolean isSimple) {
        assertThat(ServeCommand.simple(List.of(words.split(" "))).isPresent()).isEqualTo(isSimple);
    }

    @Test
    void pathOfTheSocketThatIsTooLongIsNoMistakeOfTheFile(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("mcp.json"), "{\"mcpServers\": {}}");
        var socket = "/" + "s".repeat(106);

        var run = RunCommand.of("serve", "--config", file.toString(), "--mcp-bridge-socket", socket);

        assertThat(run.err())
                .contains("the path of the socket '%s' has 107 bytes but must have at most 106".formatted(socket))
                .doesNotContain("mcp.json");
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    }
}

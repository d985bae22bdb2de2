package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}

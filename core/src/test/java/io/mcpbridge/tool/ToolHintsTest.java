package io.mcpbridge.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.tool.ToolHints.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolHintsTest {
    private static final ToolHints SAID = new ToolHints(true, false, true, false, Source.SERVER);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\":\"t\"} | false",
                "{\"name\":\"t\",\"annotations\":{}} | false",
                "{\"name\":\"t\",\"annotations\":null} | false",
                "{\"name\":\"t\",\"annotations\":{\"title\":\"T\",\"openWorldHint\":false}} | false",
                "{\"name\":\"t\",\"annotations\":{\"readOnlyHint\":false}} | true",
                "{\"name\":\"t\",\"annotations\":{\"destructiveHint\":false}} | true",
                "{\"name\":\"t\",\"annotations\":{\"idempotentHint\":true}} | true"
            })
    void onlyRepetitionHintsCountAsDeclared(String tool, boolean declared) {
        assertThat(ToolDefinition.parse(tool).hints().declared()).isEqualTo(declared);
    }

    @Test
    void hintsOfAServerAreIgnoredUnlessTrusted() {
        assertThat(SAID.believed()).isEqualTo(ToolHints.UNDECLARED);
        assertThat(SAID.asTrusted().believed()).isEqualTo(new ToolHints(true, false, true, false, Source.TRUSTED));
    }

    @Test
    void undeclaredHintsAreNotMadeTrusted() {
        assertThat(ToolHints.UNDECLARED.asTrusted()).isEqualTo(ToolHints.UNDECLARED);
    }
}

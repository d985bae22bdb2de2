package io.mcpbridge.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolSearchTest {
    private static final List<ToolDefinition> TOOLS = List.of(
            ToolDefinition.parse("{\"name\":\"mail__send\",\"description\":\"Sends a message to people.\"}"),
            ToolDefinition.parse("{\"name\":\"disk__read\",\"title\":\"Read a file\",\"description\":\"Opens it.\"}"),
            ToolDefinition.parse("{\"name\":\"mail__read_message\",\"description\":\"Shows one.\"}"),
            ToolDefinition.parse("{\"name\":\"web__get\"}"));

    @ParameterizedTest(name = "{0} finds {1}")
    @CsvSource(
            delimiter = '|',
            nullValues = "nothing",
            value = {
                "message | mail__read_message mail__send",
                "READ | disk__read mail__read_message",
                "send people | mail__send",
                "mail, message | mail__read_message mail__send",
                "peop | mail__send",
                "read write | nothing",
                "' ' | nothing",
            })
    void allWordsMustMatchAndNamesRankFirst(String query, String names) {
        assertThat(ToolSearch.of(query).in(TOOLS))
                .extracting(ToolDefinition::name)
                .containsExactlyElementsOf(names == null ? List.of() : List.of(names.split(" ")));
    }
}

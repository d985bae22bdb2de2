package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.ToolDefinition;
import java.lang.System.Logger.Level;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K6: with schema checks, only the tool with an invalid schema is omitted, and its reason is logged once. */
@Timeout(60)
class UnusableToolsTest {
    private static final String CHECKED = "\"schema-check\": {}, ";
    private static final String OBJECT = "{\"type\":\"object\"}";
    private static final String NONE = "{\"type\":\"object\",\"minProperties\":\"3\"}";
    private static final String ELSEWHERE = "{\"type\":\"object\",\"$ref\":\"http://127.0.0.1:9/\\u202eschema\"}";

    private final ChangingTools tools = new ChangingTools()
            .tool("add", "Adds.")
            .definition("elsewhere", "\"inputSchema\":" + ELSEWHERE)
            .definition("input", "\"inputSchema\":" + NONE)
            .definition("output", "\"inputSchema\":%s,\"outputSchema\":%s".formatted(OBJECT, NONE));
    private final RecordingLogger log = new RecordingLogger();
    private final DaemonFixture fixture;
    private final UnixToolServer server;

    UnusableToolsTest() throws Exception {
        fixture = new DaemonFixture();
        server = fixture.unix("sums", tools);
        fixture.bridge(CHECKED);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void unusableToolsAreOmittedAndOthersStayAvailable() throws Exception {
        start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("sums__add");
        for (var name : List.of("elsewhere", "input", "output")) {
            assertThat(client.call("sums__" + name, "{}").json())
                    .contains("-32602", "Unknown tool: sums__%s; server 'sums' lists it, but".formatted(name));
        }
        assertThat(client.call("sums__add", "{}").isError()).isFalse();
        assertThat(tools.calls()).containsExactly("add");
    }

    @Test
    void unusableToolIsNotCalledBeforeTheFirstListing() throws Exception {
        start();

        assertThat(fixture.client("one").call("sums__input", "{}").json())
                .contains("-32602", "Unknown tool: sums__input");
        assertThat(tools.calls()).isEmpty();
    }

    @Test
    void rejectedCallIsLoggedOnceWithServerAndTool() throws Exception {
        start();
        var client = fixture.client("one");

        client.call("sums__none", "{}");
        client.call("other__none", "{}");
        client.call("sums__add", "[]");

        var words = "[mcp-bridge] Tool call failed and is not tried again: ";
        assertThat(log.entries())
                .filteredOn(
                        entry -> entry.level() == Level.WARNING && entry.text().contains("Tool call"))
                .extracting(entry -> entry.text().replaceFirst(" .request .*|, since.*", ""))
                .containsExactly(
                        words + "sums.none: Unknown tool: sums__none",
                        words + "other__none: Unknown tool: other__none",
                        words
                                + "sums.add: the arguments of 'add' break its input schema: array found, object expected");
    }

    @Test
    void reasonIsLoggedOncePerTool() throws Exception {
        start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).containsExactly("sums__add");

        tools.announce();
        Eventually.holds("the second listing", () -> tools.lists() > 1);
        assertThat(client.toolNames()).containsExactly("sums__add");

        assertThat(reasons()).hasSize(3);
        assertThat(reasons())
                .anyMatch(line -> line.contains("the tool 'input' of server 'sums' cannot be used and is not listed:"
                        + " 'inputSchema': the schema is invalid: /minProperties: "))
                .anyMatch(line -> line.contains("'output'") && line.contains("'outputSchema': the schema is invalid"))
                .anyMatch(line -> line.contains("'elsewhere'") && !line.contains("\u202e"));
    }

    @Test
    void k6SchemaErrorsAreReportedPlainly() throws Exception {
        var schema = "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{%s}}}";
        tools.definition("typo", schema.formatted("\"type\":\"strnig\""))
                .definition("regex", schema.formatted("\"pattern\":\"^a$|(\""));
        start();
        assertThat(fixture.client("one").toolNames()).containsExactly("sums__add");

        assertThat(reasons())
                .anyMatch(line -> line.endsWith("the tool 'typo' of server 'sums' cannot be used and is not listed:"
                        + " 'inputSchema': the schema is invalid: /properties/a/type: is \"strnig\" but must be one of"
                        + " [\"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"]"))
                .anyMatch(line -> line.endsWith("the tool 'regex' of server 'sums' cannot be used and is not listed:"
                        + " 'inputSchema': the schema cannot be checked: /properties/a/pattern: is \"^a$|(\" but"
                        + " must be a regular expression that can be read: Unclosed group"));
    }

    @Test
    void repairedToolIsListedAgain() throws Exception {
        start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).containsExactly("sums__add");

        tools.tool("input", "Is mended.").announce();

        Eventually.holds("the mended tool", () -> client.toolNames().contains("sums__input"));
        assertThat(client.call("sums__input", "{}").isError()).isFalse();
    }

    @Test
    void onlyCheckedSchemasMustBeValid() throws Exception {
        fixture.server("half", server.section().replace("}", ", \"schema-check\": {\"arguments\": false}}"));
        fixture.server("none", server.section().replace("}", ", \"schema-check\": \"none\"}"));
        start();
        var client = fixture.client("one");

        assertThat(client.toolNames())
                .contains("sums__add", "half__add", "half__elsewhere", "half__input", "none__input", "none__output")
                .doesNotContain("sums__input", "half__output");
        assertThat(client.call("none__input", "{}").isError()).isFalse();
    }

    @Test
    void allToolsAreListedWithoutASchemaCheck() throws Exception {
        fixture.bridge("");
        start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).hasSize(4);
        assertThat(client.call("sums__input", "{}").isError()).isFalse();
        assertThat(reasons()).isEmpty();
    }

    @Test
    void bridgeChecksSchemasUnlessDisabled() throws Exception {
        fixture.bridge("");
        var quiet = BridgeOptions.DEFAULTS.withEnvironment(fixture.logging(log));
        try (var checked = Bridge.open(fixture.configuration(), quiet);
                var unchecked = Bridge.open(fixture.configuration(), quiet.withoutSchemaCheck())) {
            assertThat(names(checked.listTools("sums"))).containsExactly("add");
            assertThat(names(unchecked.listTools("sums"))).containsExactly("add", "elsewhere", "input", "output");
        }
    }

    private void start() {
        fixture.start(DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(log)));
    }

    private List<String> reasons() {
        return log.lines().stream()
                .filter(line -> line.contains("cannot be used and is not listed"))
                .toList();
    }

    private static List<String> names(List<ToolDefinition> tools) {
        return tools.stream().map(ToolDefinition::name).sorted().toList();
    }
}

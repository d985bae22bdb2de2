package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that the configuration shortens for clients. */
class AliasTest {
    private static final String CAPABILITIES = "{\"tools\":{},\"prompts\":{}}";
    private static final Map<String, Object> SECTION =
            Map.of("keep-alive", "0s", "alias", "gh", "tools", Map.of("get_the_issue", Map.of("alias", "issue")));

    private final ManyServers bench = new ManyServers(ToolNaming.PREFIX, "other");
    private final ManyServers plain = new ManyServers(ToolNaming.PLAIN, "other");

    AliasTest() {
        for (var each : new ManyServers[] {bench, plain}) {
            each.add("github", CAPABILITIES, SECTION);
            each.lists("github", ListKind.TOOLS, "get_the_issue", "close");
            each.lists("github", ListKind.PROMPTS, "review");
        }
    }

    @AfterEach
    void close() {
        bench.close();
        plain.close();
    }

    @Test
    void aliasesReplaceNamesInLists() {
        assertThat(bench.result(Methods.TOOLS_LIST, "{}"))
                .contains("\"gh__issue\"", "\"gh__close\"")
                .doesNotContain("github", "get_the_issue");
        assertThat(bench.result(Methods.PROMPTS_LIST, "{}")).contains("\"gh__review\"");
        assertThat(plain.result(Methods.TOOLS_LIST, "{}")).contains("\"issue\"", "\"close\"");
    }

    @ParameterizedTest
    @CsvSource({"gh__issue, get_the_issue", "gh__close, close"})
    void callsReachTheToolUnderItsOwnName(String exposed, String own) {
        bench.ask(Methods.TOOLS_CALL, "{\"name\":\"" + exposed + "\"}");

        assertThat(bench.server("github").last().message().raw(MessageField.PARAMS))
                .contains("{\"name\":\"" + own + "\"}");
    }

    @Test
    void callsReachTheToolWithoutPrefixes() {
        plain.ask(Methods.TOOLS_CALL, "{\"name\":\"issue\"}");

        assertThat(plain.server("github").last().message().raw(MessageField.PARAMS))
                .contains("{\"name\":\"get_the_issue\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"github__issue", "github__get_the_issue", "gh__get_the_issue", "github__close"})
    void hiddenNamesAreUnknownTools(String exposed) {
        var failure =
                bench.ask(Methods.TOOLS_CALL, "{\"name\":\"" + exposed + "\"}").awaitFailure();

        assertThat(failure.message()).isEqualTo("Unknown tool: " + exposed);
    }

    @Test
    void hiddenNamesAreUnknownToolsWithoutPrefixes() {
        plain.ask(Methods.TOOLS_LIST, "{}");

        var failure =
                plain.ask(Methods.TOOLS_CALL, "{\"name\":\"get_the_issue\"}").awaitFailure();

        assertThat(failure.message()).isEqualTo("Unknown tool: get_the_issue");
    }

    @ParameterizedTest
    @EnumSource(ToolNaming.class)
    void longNamesAreReported(ToolNaming names) {
        var longName = "n".repeat(65);
        try (var servers = new ManyServers(names, "a")) {
            servers.lists("a", ListKind.TOOLS, longName, "short");

            servers.ask(Methods.TOOLS_LIST, "{}");

            assertThat(servers.route("a").upstream().status().remarks())
                    .singleElement()
                    .asString()
                    .contains("'" + longName + "' (65)", "more than 64 characters", "'alias'")
                    .doesNotContain("'short'");
            assertThat(servers.log.lines())
                    .filteredOn(line -> line.contains(longName))
                    .hasSize(1);
        }
    }
}

package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments and results that violate the schema of the tool, with schema checks enabled. */
@Timeout(60)
class SchemaCheckedCallsTest {
    private static final String BOTH = "\"schema-check\": {}, \"retry\": {\"policy\": \"none\"}, ";

    private static final String ADD =
            "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},"
                    + "\"required\":[\"n\"]},\"outputSchema\":{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}},"
                    + "\"required\":[\"sum\"]}";

    /** A few rules that look up very many names repeatedly. */
    private static final String COSTLY = "{\"type\":\"object\",\"allOf\":["
            + "{\"$ref\":\"#/$defs/all\"},".repeat(1_000)
            + "{}],\"$defs\":{\"all\":{\"if\":{\"dependentRequired\":{\"a\":["
            + IntStream.range(0, 20_000).mapToObj("\"k%d\""::formatted).collect(Collectors.joining(","))
            + "]}}}}}";

    private final ChangingTools tools =
            withHostile("{\"type\":\"object\",\"properties\":{\"text\":{\"pattern\":\"^(.*a){25}$\"}}}");
    private final DaemonFixture fixture;
    private final UnixToolServer server;

    /** Two tools; one has this schema. */
    private static ChangingTools withHostile(String schema) {
        return new ChangingTools()
                .definition("add", ADD)
                .definition("bomb", "\"inputSchema\":" + schema)
                .result("{\"content\":[],\"structuredContent\":{\"sum\":1}}");
    }

    SchemaCheckedCallsTest() throws Exception {
        fixture = new DaemonFixture();
        server = fixture.unix("sums", tools);
        fixture.bridge(BOTH);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void validCallPasses() throws Exception {
        fixture.start();

        var answer = fixture.client("one").call("sums__add", "{\"n\":1.0}");

        assertThat(answer.raw(MessageField.STRUCTURED_CONTENT)).contains("{\"sum\":1}");
        assertThat(tools.arguments()).containsExactly("{\"n\":1.0}");
    }

    @Test
    void invalidArgumentsAreRejectedBeforeTheCallIsSent() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.call("sums__add", "{\"n\":\"one\"}").json())
                .contains(
                        "-32602",
                        "the arguments of 'add' break its input schema: /n: string found, integer expected",
                        "\"delivery\":\"not_sent\"");
        assertThat(client.call("sums__add", "{}").json()).contains("-32602", "break its input schema", "'n'");
        assertThat(tools.arguments()).isEmpty();
    }

    @Test
    void resultThatViolatesTheOutputSchemaIsReported() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        tools.result("{\"content\":[],\"structuredContent\":{\"sum\":\"one\"}}");
        assertThat(client.call("sums__add", "{\"n\":1}").json())
                .contains(
                        "-31010",
                        "the result of 'add' breaks its output schema: /sum: string found, integer expected",
                        "\"delivery\":\"answered\"");
        tools.result("{\"content\":[]}");
        assertThat(client.call("sums__add", "{\"n\":1}").json()).contains("-31010", "there is no 'structuredContent'");
    }

    @Test
    void errorResultIsNotChecked() throws Exception {
        tools.result("{\"content\":[],\"isError\":true}");
        fixture.start();

        assertThat(fixture.client("one").call("sums__add", "{\"n\":1}").raw(MessageField.RESULT))
                .contains("{\"content\":[],\"isError\":true}");
    }

    @Test
    @DisplayName("K1: a tool with a regex bomb is rejected, and the others continue")
    void toolWithARegexBombIsRejected() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.call("sums__bomb", "{\"text\":\"%s!\"}".formatted("a".repeat(60)))
                        .json())
                .contains("-32602", "cannot be checked, since the schema costs too much");
        assertThat(client.call("sums__add", "{\"n\":1}").isError()).isFalse();
    }

    @Test
    @DisplayName("K2: a server with a costly schema does not delay the checked calls of the others")
    void costlySchemaDoesNotDelayCallsOfOtherServers() throws Exception {
        fixture.unix("slow", withHostile(COSTLY));
        fixture.bridge(BOTH);
        try (var bridge = Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS)) {
            bridge.callTool("sums", "add", Map.of("n", 1));
            bridge.listTools("slow");
            var slow = Stream.generate(() -> bridge.callToolAsync("slow", "bomb", Map.of("a", 1), CallOptions.DEFAULTS))
                    .limit(200)
                    .toList();

            assertThat(bridge.callTool("sums", "add", Map.of("n", 1)).isError()).isFalse();

            assertThat(slow).anyMatch(call -> !call.isDone());
            assertThatThrownBy(() -> slow.get(0).get())
                    .hasMessageContaining("cannot be checked, since the schema costs too much");
            slow.forEach(call -> call.cancel(true));
        }
    }

    @Test
    void schemasAreNotCheckedByDefault() throws Exception {
        fixture.bridge("");
        fixture.start();

        assertThat(fixture.client("one").call("sums__add", "{\"n\":\"one\"}").isError())
                .isFalse();
    }

    @Test
    void checkCanBeDisabledPerServerAndDirection() throws Exception {
        fixture.server("free", server.section().replace("}", ", \"schema-check\": \"none\"}"));
        fixture.server("half", server.section().replace("}", ", \"schema-check\": {\"arguments\": false}}"));
        fixture.start();
        var client = fixture.client("one");
        tools.result("{\"content\":[]}");

        assertThat(client.call("free__add", "{\"n\":\"one\"}").isError()).isFalse();
        assertThat(client.call("half__add", "{\"n\":\"one\"}").json()).contains("-31010");
        assertThat(client.call("sums__add", "{\"n\":\"one\"}").json()).contains("-32602");
    }

    @Test
    void bridgeCallsGetTheSameErrors() throws Exception {
        try (var bridge = Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS)) {
            assertThatThrownBy(() -> bridge.callTool("sums", "add", Map.of("n", "one")))
                    .isInstanceOfSatisfying(
                            CallException.class,
                            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_PARAMS))
                    .hasMessageContaining("/n: string found, integer expected");
            assertThatThrownBy(() -> bridge.callTool("sums", "none", Map.of()))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("Unknown tool: none");
            assertThat(bridge.callTool("sums", "add", Map.of("n", 1)).isError()).isFalse();
        }
        assertThat(tools.arguments()).hasSize(1);
    }

    @Test
    void mistakesInTheSectionAreReported() {
        fixture.bridge("\"schema-check\": {\"argumnets\": true}, ");

        assertThatThrownBy(fixture::configuration).hasMessageContaining("did you mean 'arguments'");
    }
}

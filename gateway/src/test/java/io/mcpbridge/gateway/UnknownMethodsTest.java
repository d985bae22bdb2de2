package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.testkit.Script;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods outside of the specification, at a server that takes them for tool calls. */
@Timeout(60)
class UnknownMethodsTest {
    private static final String VENDOR = "vendor/tools/call";

    private final ChangingTools tools =
            new ChangingTools().tool("read", "Reads.").tool("write", "Writes.");
    private final RecordingAuditSink sink = new RecordingAuditSink();
    private final DaemonFixture fixture;

    UnknownMethodsTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"Tools/Call", "TOOLS/CALL", "tools/call ", " tools/call", "tools/call\u0000", "vendor/Tools/call"
            })
    void unlistedMethodReachesNoServer(String method) throws Exception {
        var client = start("\"tools\": {\"deny\": [\"write\"]}", "");

        var refused = client.answer(client.request(method, "{\"name\":\"disk__write\"}"));

        assertThat(refused.raw(MessageField.ERROR_CODE)).contains("-32601");
        assertThat(tools.calls()).isEmpty();
        assertThat(sink.enters()).isEmpty();
        assertThat(sink.denials()).extracting("call.method").containsExactly(method);
    }

    @Test
    void listedMethodIsAuditedWithItsParameters() throws Exception {
        var client = start("\"enabled\": true", "");

        var answer = client.answer(client.request(VENDOR, "{\"name\":\"disk__read\",\"depth\":1.50}"));

        assertThat(answer.isError()).isFalse();
        assertThat(tools.calls()).containsExactly("read");
        Eventually.holds("the record of its end", () -> sink.exits().size() == 1);
        assertThat(sink.enters())
                .extracting("call.method", "call.server", "call.tool", "arguments")
                .containsExactly(tuple(VENDOR, "disk", "read", "{\"name\":\"disk__read\",\"depth\":1.50}"));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"disk__write", "write"})
    void listedMethodCannotNameAToolDeniedForTheServer(String name) throws Exception {
        var client = start("\"tools\": {\"deny\": [\"write\"]}", "");

        var refused = client.answer(client.request(VENDOR, "{\"name\":\"%s\"}".formatted(name)));

        assertThat(refused.json()).contains("-32602", "\"Unknown tool: disk__write\"");
        assertThat(tools.calls()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"disk__write", "write"})
    void listedMethodCannotNameAToolDeniedForTheUser(String name) throws Exception {
        var client = start("\"enabled\": true", "\"clients\": {\"*\": {\"tools\": {\"allow\": [\"disk__read\"]}}}, ");

        var refused = client.answer(client.request(VENDOR, "{\"name\":\"%s\"}".formatted(name)));

        assertThat(refused.json()).contains("-32602", "\"Unknown tool: disk__write\"");
        assertThat(tools.calls()).isEmpty();
        assertThat(sink.denials()).hasSize(1);
    }

    private LineClient start(String members, String bridge) throws Exception {
        var section = fixture.unix("disk", lenient()).section();
        fixture.server("disk", section.replace("}", ", \"extensions\": [\"%s\"], %s}".formatted(VENDOR, members)));
        fixture.bridge(bridge).start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        return fixture.client("alice");
    }

    private Script lenient() {
        return (message, wire) -> tools.received(strictly(message), wire);
    }

    private static Message strictly(Message message) {
        return message instanceof Request request
                        && request.method().toLowerCase(Locale.ROOT).contains(Methods.TOOLS_CALL)
                ? Request.of(
                        request.id(),
                        Methods.TOOLS_CALL,
                        request.raw(MessageField.PARAMS).orElse("{}"))
                : message;
    }
}

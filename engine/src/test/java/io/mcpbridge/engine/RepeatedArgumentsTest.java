package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A modern server over HTTP gets the arguments that it wants in headers too. */
class RepeatedArgumentsTest {
    private static final String TOOLS = """
        {"tools":[{"name":"query","inputSchema":{"type":"object","properties":{"region":\
        {"type":"string","x-mcp-header":"Region"}}}},\
        {"name":"wrong","inputSchema":{"type":"object","properties":{"amount":\
        {"type":"number","x-mcp-header":"Amount"}}}}]}\
        """;

    private final OneServer bench = OneServer.reconnecting();
    private final Lists lists = new Lists();

    @BeforeEach
    void serveTheModernEraOverHttp() {
        bench.server.modern();
        bench.server.streamPerRequest();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void argumentNamedByTheSchemaIsRepeatedInAHeader() {
        list();

        call("{\"region\":\"us west\\n\",\"sql\":\"select 1\"}");

        assertThat(last().headers().asMap()).containsOnlyKeys("mcp-param-region");
        assertThat(last().headers().first("Mcp-Param-Region").orElseThrow()).startsWith("=?base64?");
    }

    @Test
    void absentArgumentHasNoHeader() {
        list();

        call("{}");

        assertThat(last().headers().asMap()).isEmpty();
    }

    @Test
    @DisplayName("K6: a tool with an invalid x-mcp-header is omitted from the list, and counted")
    void toolWithAnInvalidHeaderSchemaIsOmittedAndCounted() {
        list();

        assertThat(lists.told).containsExactly(List.of("query"));
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
        assertThat(bench.log.lines()).anyMatch(line -> line.contains("'wrong'") && line.contains("x-mcp-header"));
    }

    @Test
    void missingHeaderCausesAListingAndOneResend() {
        var reply = call("{\"region\":\"eu\"}");

        refuse();
        bench.connection().answer(last(), TOOLS);
        bench.connection().answer(last(), "{\"content\":[]}");

        assertThat(last().headers().first("Mcp-Param-Region")).contains("eu");
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void repeatedHeaderRejectionIsAnErrorOfTheServer() {
        var reply = call("{\"region\":\"eu\"}");

        refuse();
        bench.connection().answer(last(), TOOLS);
        refuse();

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.REJECTED);
    }

    private void list() {
        bench.send();
        bench.route.tools().list(OneServer.client("alice"), lists);
        bench.connection().answer(last(), TOOLS);
    }

    private RecordingReply call(String arguments) {
        var params = "{\"name\":\"query\",\"arguments\":%s}".formatted(arguments);
        return bench.send(bench.call(Methods.TOOLS_CALL, params, OneServer.client("alice")));
    }

    private void refuse() {
        var id = ((Request) last().message()).id();
        bench.connection().receive(Response.error(id, -32020, "Header mismatch: 'Mcp-Param-Region' is missing"));
    }

    private Outgoing last() {
        return bench.connection().last();
    }
}

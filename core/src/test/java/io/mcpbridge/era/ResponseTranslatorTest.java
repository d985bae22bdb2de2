package io.mcpbridge.era;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ResponseTranslatorTest {
    private static final String US = "{\"name\":\"us\"}";
    private static final String INFO = "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":" + US + "}";

    static Stream<Arguments> modern() {
        return Stream.of(
                Arguments.argumentSet(
                        "a result of a call",
                        Methods.TOOLS_CALL,
                        "{\"x\":1.0}",
                        "{\"x\":1.0,\"resultType\":\"complete\"," + INFO + "}"),
                Arguments.argumentSet(
                        "an empty result", Methods.TOOLS_CALL, "{}", "{\"resultType\":\"complete\"," + INFO + "}"),
                Arguments.argumentSet(
                        "a list",
                        Methods.TOOLS_LIST,
                        "{\"tools\":[]}",
                        "{\"tools\":[],\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\"," + INFO
                                + "}"),
                Arguments.argumentSet(
                        "a list that may be kept",
                        Methods.TOOLS_LIST,
                        "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":\"public\"}",
                        "{\"resultType\":\"complete\",\"ttlMs\":5,\"cacheScope\":\"public\"," + INFO + "}"),
                Arguments.argumentSet(
                        "a question",
                        Methods.RESOURCES_READ,
                        "{\"resultType\":\"input_required\"}",
                        "{\"resultType\":\"input_required\"," + INFO + "}"),
                Arguments.argumentSet(
                        "another server's word on itself",
                        Methods.TOOLS_CALL,
                        "{\"_meta\":{\"a\":1,\"io.modelcontextprotocol/serverInfo\":{\"name\":\"it\"}}}",
                        "{\"_meta\":{\"a\":1,\"io.modelcontextprotocol/serverInfo\":" + US
                                + "},\"resultType\":\"complete\"}"),
                Arguments.argumentSet("a result that is no object", Methods.TOOLS_CALL, "[1]", "[1]"));
    }

    @ParameterizedTest
    @MethodSource("modern")
    void modernClientsGetResultsOfTheirEra(String method, String result, String dressed) {
        var asked = Request.of(MessageId.of("q"), method);

        var answer = ResponseTranslator.modern(answer("\"result\":" + result), asked, US);

        assertThat(answer.json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":" + dressed + "}");
    }

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.argumentSet(
                        "any other", "{\"code\":-32603,\"message\":\"m\"}", "{\"code\":-32603,\"message\":\"m\"}"),
                Arguments.argumentSet(
                        "a missing resource",
                        "{\"code\":-32002,\"message\":\"m\"}",
                        "{\"code\":-32602,\"message\":\"m\",\"data\":{\"uri\":\"a:b\"}}"),
                Arguments.argumentSet(
                        "one that is named",
                        "{\"code\":-32002,\"message\":\"m\",\"data\":{\"uri\":\"a:c\"}}",
                        "{\"code\":-32602,\"message\":\"m\",\"data\":{\"uri\":\"a:c\"}}"),
                Arguments.argumentSet(
                        "one with other data",
                        "{\"code\":-32002,\"message\":\"m\",\"data\":[1]}",
                        "{\"code\":-32602,\"message\":\"m\",\"data\":{\"uri\":\"a:b\",\"data\":[1]}}"),
                Arguments.argumentSet(
                        "one whose data cannot be read",
                        "{\"code\":-32002,\"message\":\"m\",\"data\":{\"a\":1,\"a\":2}}",
                        "{\"code\":-32602,\"message\":\"m\",\"data\":{\"uri\":\"a:b\"}}"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void modernClientsGetErrorCodesOfTheirEra(String error, String dressed) {
        var asked = Request.of(MessageId.of("q"), Methods.RESOURCES_READ, "{\"uri\":\"a:b\"}");

        var answer = ResponseTranslator.modern(answer("\"error\":" + error), asked, US);

        assertThat(answer.json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"error\":" + dressed + "}");
    }

    static Stream<Arguments> legacy() {
        return Stream.of(
                Arguments.argumentSet(
                        "of a modern server",
                        "{\"tools\":[],\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\"}",
                        "{\"tools\":[]}"),
                Arguments.argumentSet(
                        "with its name",
                        "{\"resultType\":\"complete\",\"_meta\":{\"a\":1,\"io.modelcontextprotocol/serverInfo\":{}}}",
                        "{\"_meta\":{\"a\":1}}"),
                Arguments.argumentSet(
                        "with nothing but its name",
                        "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{}},\"x\":1.0}",
                        "{\"x\":1.0}"),
                Arguments.argumentSet("with nothing to tell", "{\"_meta\":{},\"x\":1.0}", "{\"_meta\":{},\"x\":1.0}"),
                Arguments.argumentSet(
                        "of a legacy server, which means something of its own",
                        "{\"ttlMs\":7,\"cacheScope\":1.0,\"x\":[]}",
                        "{\"ttlMs\":7,\"cacheScope\":1.0,\"x\":[]}"));
    }

    @ParameterizedTest
    @MethodSource("legacy")
    void modernMembersAreRemovedForLegacyClients(String result, String dressed) {
        var asked = Request.of(MessageId.of("q"), Methods.TOOLS_LIST);

        var answer = ResponseTranslator.legacy(answer("\"result\":" + result), asked);

        assertThat(answer.json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":" + dressed + "}");
    }

    private static Response answer(String outcome) {
        var json = "{\"jsonrpc\":\"2.0\",\"id\":77,%s}".formatted(outcome);
        return (Response) Message.scan(json.getBytes(UTF_8), Limits.SERVER);
    }
}

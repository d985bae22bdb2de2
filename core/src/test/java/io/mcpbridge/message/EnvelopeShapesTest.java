package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.assertNotRequest;
import static io.mcpbridge.message.Scanning.request;
import static io.mcpbridge.message.Scanning.scan;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What JSON-RPC says about members and their types, beyond the numbered faults. */
class EnvelopeShapesTest {

    private static final String V = "{\"jsonrpc\":\"2.0\",";

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"1", "\"text\"", "null", "true", "-1.5e3"})
    void nonObjectIsRejected(String json) {
        assertNotRequest(json, "must be one JSON object");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.00\",\"id\":1,\"method\":\"ping\"}",
                "{\"jsonrpc\":null,\"id\":1,\"method\":\"ping\"}",
            })
    void otherVersionIsRejected(String json) {
        assertNotRequest(json, "\"2.0\"");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "\"method\":1",
                "\"method\":null",
                "\"method\":\"a\",\"params\":null",
                "\"method\":\"a\",\"params\":\"x\"",
                "\"method\":\"a\",\"params\":5",
                "\"method\":\"a\",\"params\":{\"_meta\":null}",
                "\"method\":\"a\",\"params\":{\"_meta\":[]}",
                "\"result\":{\"_meta\":1}",
                "\"error\":null",
                "\"error\":\"bad\"",
                "\"error\":{\"message\":\"\"}",
                "\"error\":{\"code\":\"1\"}",
                "\"error\":{\"code\":1.5}",
                "\"result\":{},\"params\":{}",
            })
    void memberOfTheWrongTypeIsRejected(String members) {
        assertNotRequest(V + "\"id\":1," + members + "}", "");
    }

    @Test
    void resultWithoutIdIsRejected() {
        assertNotRequest(V + "\"result\":{}}", "no 'id'");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "\"id\":null,"})
    void errorWithoutIdIsAccepted(String id) {
        var response = (Response) scan(V + id + "\"error\":{\"code\":-32700,\"message\":\"what?\"}}");

        assertThat(response.id()).isEmpty();
        assertThat(response.isError()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"\"\\ud800\":1", "\"a\\udc00b\":1", "\"params\":{\"a\":{\"\\udbff\\u0041\":1}}"})
    void loneSurrogatesInKeysAreRejectedAtAnyDepth(String member) {
        assertNotRequest(V + "\"method\":\"x\"," + member + "}", "surrogates");
    }

    @Test
    void loneSurrogatesInTheMethodAreRejected() {
        assertNotRequest(V + "\"method\":\"\\ud800\"}", "surrogates");
    }

    @Test
    void loneSurrogatesInValuesAreKept() {
        assertThat(scan(request("{\"name\":\"\\ud800\"}")).raw(MessageField.NAME))
                .contains("\"\\ud800\"");
    }
}

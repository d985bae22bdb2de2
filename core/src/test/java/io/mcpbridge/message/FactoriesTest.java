package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are made of parts. */
class FactoriesTest {

    private static final MessageId ID = MessageId.of(7);

    @Test
    void requestsAndNotificationsHaveParamsOrNone() {
        assertThat(Request.of(ID, "ping").json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}");
        assertThat(Request.of(ID, "x", "{\"a\":1}").raw(MessageField.PARAMS)).contains("{\"a\":1}");
        assertThat(Notification.of("x").json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
        assertThat(Notification.of("x", "[1]").raw(MessageField.PARAMS)).contains("[1]");
    }

    @Test
    void resultsCarryAnyValue() {
        assertThat(Response.result(ID, "{}").json()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
        assertThat(Response.result(ID, "null").raw(MessageField.RESULT)).contains("null");
    }

    @Test
    void errorsCarryCodeMessageAndData() {
        var plain = Response.error(ID, -32601, "no \"x\"");
        var detailed = Response.error(ID, -32601, "no", "{\"a\":1}");

        assertThat(plain.json())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"no \\\"x\\\"\"}}");
        assertThat(plain.text(MessageField.ERROR_MESSAGE)).contains("no \"x\"");
        assertThat(detailed.raw(MessageField.ERROR_DATA)).contains("{\"a\":1}");
        assertThat(detailed.isError()).isTrue();
    }

    @Test
    void errorsWithoutIdHaveNoIdMember() {
        assertThat(Response.error(-32700, "what?").json()).doesNotContain("\"id\"");
        assertThat(Response.error(-32700, "what?", "1").id()).isEmpty();
    }

    @Test
    void idsAreWrittenByteForByte() {
        var id = ((Request) Scanning.scan("{\"jsonrpc\":\"2.0\",\"id\":\"\\u0061\\/b\",\"method\":\"x\"}")).id();

        assertThat(Response.result(id, "{}").json()).contains("\"id\":\"\\u0061\\/b\",");
    }

    @Test
    void lineEndsInPartsBecomeSpaces() {
        assertThat(Response.result(ID, "{\r\n\"a\":\n1\n}\n").raw(MessageField.RESULT))
                .contains("{  \"a\": 1 }");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"", "{", "{}}", "{},\"x\":1", "{},\"id\":2", "5", "null", "\"x\"", "{\"a\":\"\n\"}"})
    void invalidParamsAreRejected(String params) {
        assertThatThrownBy(() -> Request.of(ID, "x", params)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void knownMethodsAreNotCopied() {
        var request = (Request) Scanning.scan("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}");

        assertThat(request.method()).isSameAs(Methods.TOOLS_CALL);
    }

    @Test
    void everyKnownMethodIsFound() {
        for (String method : Methods.ALL) {
            assertThat(Notification.of(method).method()).isSameAs(method);
            assertThat(Notification.of(method + "x").method()).isEqualTo(method + "x");
        }
    }
}

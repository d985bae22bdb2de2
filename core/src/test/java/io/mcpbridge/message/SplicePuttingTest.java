package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplicePuttingTest {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"";

    private final Message call = scan(
            CALL + ",\"params\":{\"name\":\"n\",\"_meta\":{\"progressToken\":5,\"v/x\":1},\"arguments\":{\"a\":1.0}}}");

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "none",
            value = {
                "{\"a\":1}                      | {\"a\":1,\"p\":0,\"_meta\":{\"k\":[],\"traceparent\":\"t\"}}",
                "{}                             | {\"p\":0,\"_meta\":{\"k\":[],\"traceparent\":\"t\"}}",
                "{\"_meta\":{}}                 | {\"_meta\":{\"k\":[],\"traceparent\":\"t\"},\"p\":0}",
                "{\"_meta\":{ }}                | {\"_meta\":{ \"k\":[],\"traceparent\":\"t\"},\"p\":0}",
                "{\"_meta\":{\"\\u006b\":1}}    | {\"_meta\":{\"\\u006b\":[],\"traceparent\":\"t\"},\"p\":0}",
                "{\"p\":9,\"_meta\":{\"z\":1}}  | {\"p\":0,\"_meta\":{\"z\":1,\"k\":[],\"traceparent\":\"t\"}}",
            })
    void putAddsOrReplaces(String params, String changed) {
        var message = scan(CALL + ",\"params\":" + params + "}");

        var spliced = message.splice()
                .putParam("p", "0")
                .putMeta("k", "[]")
                .putMeta("traceparent", "\"t\"")
                .done();

        assertThat(spliced.text(MessageField.TRACEPARENT)).contains("t");
        assertThat(scan(spliced.json()).text(MessageField.TRACEPARENT)).contains("t");
        assertThat(spliced.raw(MessageField.PARAMS)).contains(changed);
    }

    @Test
    void putCreatesMissingParamsAndMeta() {
        var spliced = scan(CALL + "}").splice().putMeta("progressToken", "7").done();

        assertThat(spliced.json()).isEqualTo(CALL + ",\"params\":{\"_meta\":{\"progressToken\":7}}}");
        assertThat(spliced.raw(MessageField.PROGRESS_TOKEN)).contains("7");
    }

    @Test
    void putCreatesMetaOfAResult() {
        var spliced = scan("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")
                .splice()
                .putMeta("io.modelcontextprotocol/subscriptionId", "5")
                .putResult("ttlMs", "0")
                .done();

        assertThat(spliced.raw(MessageField.RESULT_META)).contains("{\"io.modelcontextprotocol/subscriptionId\":5}");
        assertThat(spliced.raw(MessageField.SUBSCRIPTION_ID)).contains("5");
        assertThat(spliced.raw(MessageField.TTL_MS)).contains("0");
    }

    @Test
    void putAfterRemovingAllMembersNeedsNoComma() {
        var message = scan(CALL + ",\"params\":{\"_meta\":{\"progressToken\":5,\"traceparent\":\"t\"}}}");

        var spliced = message.splice()
                .remove(MessageField.PROGRESS_TOKEN)
                .remove(MessageField.TRACEPARENT)
                .putMeta("k", "1")
                .done();

        assertThat(spliced.raw(MessageField.META)).contains("{\"k\":1}");
    }

    @Test
    void progressTokenIsReplaced() {
        var progress = Notification.of(Methods.PROGRESS, "{\"progress\":1,\"progressToken\":\"theirs\"}");

        assertThat(progress.text(MessageField.PROGRESS_TOKEN)).contains("theirs");
        assertThat(progress.splice()
                        .replace(MessageField.PROGRESS_TOKEN, "9")
                        .done()
                        .raw(MessageField.PARAMS))
                .contains("{\"progress\":1,\"progressToken\":9}");
    }

    @Test
    void putFailsWithoutAnObject() {
        var list = scan(CALL + ",\"params\":[1]}");
        var error = scan("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}");
        var text = scan("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"text\"}");

        assertThatThrownBy(() -> list.splice().putParam("k", "1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> list.splice().putMeta("k", "1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> error.splice().putMeta("k", "1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> error.splice().putParam("k", "1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> text.splice().putResult("k", "1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> call.splice().putResult("k", "1")).isInstanceOf(IllegalStateException.class);
    }
}

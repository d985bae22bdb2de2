package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.assertNotRequest;
import static io.mcpbridge.message.Scanning.request;
import static io.mcpbridge.message.Scanning.scan;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is JSON but not JSON-RPC never becomes a message. */
class EnvelopeFaultsTest {

    private static final String V = "{\"jsonrpc\":\"2.0\",";

    @Nested
    class A5DuplicateKeys {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "\"id\":1,\"id\":1,\"method\":\"ping\"",
                    "\"id\":1,\"\\u0069d\":2,\"method\":\"ping\"",
                    "\"\\u0069d\":1,\"id\":2,\"method\":\"ping\"",
                    "\"\\u0069\\u0064\":1,\"i\\u0064\":2,\"method\":\"ping\"",
                    "\"jsonrpc\":\"2.0\",\"method\":\"ping\"",
                    "\"method\":\"ping\",\"method\":\"ping\"",
                    "\"method\":\"ping\",\"x\":1,\"y\":1,\"x\":2",
                    "\"method\":\"ping\",\"\":1,\"\":2",
                    "\"method\":\"ping\",\"x\":1,\"\\u0078\":2",
                    "\"method\":\"ping\",\"a/b\":1,\"a\\/b\":2",
                    "\"method\":\"ping\",\"\u00e9\":1,\"\\u00E9\":2",
                    "\"method\":\"ping\",\"\ud83d\ude00\":1,\"\\ud83d\\ude00\":2",
                    "\"method\":\"ping\",\"params\":{},\"params\":{}",
                    "\"method\":\"ping\",\"params\":{\"name\":1,\"name\":2}",
                    "\"method\":\"ping\",\"params\":{\"x\":1,\"x\":2}",
                    "\"method\":\"ping\",\"params\":{\"progressToken\":1,\"progressToken\":2}",
                    "\"method\":\"ping\",\"params\":{\"_meta\":{},\"_meta\":{}}",
                    "\"method\":\"ping\",\"params\":{\"_meta\":{\"progressToken\":1,\"progressToke\\u006e\":2}}",
                    "\"id\":1,\"result\":{\"isError\":true,\"isError\":false}",
                    "\"id\":1,\"result\":{\"_meta\":{\"x\":1,\"x\":2}}",
                    "\"id\":1,\"error\":{\"code\":1,\"code\":2,\"message\":\"\"}",
                })
        void duplicateEnvelopeKeysAreRejected(String members) {
            assertNotRequest(V + members + "}", "twice");
        }

        @Test
        void duplicateKeysBelowTheEnvelopeAreKept() {
            String arguments = "{\"a\":1,\"a\":2,\"\\u0061\":3}";

            assertThat(scan(request("{\"arguments\":" + arguments + "}")).raw(MessageField.ARGUMENTS))
                    .contains(arguments);
        }

        @Test
        void sameKeyInDifferentObjectsIsNotADuplicate() {
            assertThat(
                            scan(
                                    V
                                            + "\"id\":1,\"method\":\"x\",\"params\":{\"id\":1,\"x\":1,\"_meta\":{\"id\":1,\"x\":1}},\"x\":1}"))
                    .isInstanceOf(Request.class);
        }
    }

    @Nested
    class A6WrongCase {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "\"id\":1,\"Method\":\"ping\"",
                    "\"id\":1,\"METHOD\":\"ping\"",
                    "\"id\":1,\"method \":\"ping\"",
                    "\"id\":1",
                    "\"ID\":1,\"Result\":{}",
                    "\"id\":1,\"metho\u0501\":\"ping\"",
                })
        void wrongCaseLeavesNoMethod(String members) {
            assertNotRequest(V + members + "}", "neither");
        }

        @Test
        void keysInTheWrongCaseAreKeptAsUnknownMembers() {
            var message = scan(V + "\"method\":\"ping\",\"Id\":1,\"param\u017f\":{},\"Params\":[]}");

            assertThat(message).isInstanceOf(Notification.class);
            assertThat(message.has(MessageField.PARAMS)).isFalse();
            assertThat(message.json()).contains("\"Id\":1,\"param\u017f\":{},\"Params\":[]");
        }

        @Test
        void versionKeyIsCaseSensitive() {
            assertNotRequest("{\"JSONRPC\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "no 'jsonrpc'");
        }
    }

    @Nested
    class B1OddIds {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {"null", "1.5", "1.0", "1e3", "1E3", "-1.5", "true", "false", "{}", "[]", "[1]", "{\"a\":1}"})
        void invalidIdIsRejected(String id) {
            assertNotRequest(V + "\"id\":" + id + ",\"method\":\"ping\"}", "'id' is " + id);
            assertNotRequest(V + "\"id\":" + id + ",\"result\":{}}", "a string or an integer");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"\"\\ud800\"", "\"a\\udc00b\""})
        void idWithALoneSurrogateIsRejected(String id) {
            assertNotRequest(V + "\"id\":" + id + ",\"method\":\"ping\"}", "surrogates");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "0",
                    "-1",
                    "1",
                    "9007199254740993",
                    "123456789012345678901234567890",
                    "\"\"",
                    "\"a\"",
                    "\"\\ud83d\\ude00\""
                })
        void validIdsAreAccepted(String id) {
            var request = (Request) scan(V + "\"id\":" + id + ",\"method\":\"ping\"}");

            assertThat(request.id().raw()).isEqualTo(id);
        }
    }

    @Nested
    class B4NumberAndString {

        @Test
        void numericAndTextIdsAreDistinct() {
            var number = (Request) scan(V + "\"id\":1,\"method\":\"ping\"}");
            var text = (Request) scan(V + "\"id\":\"1\",\"method\":\"ping\"}");

            assertThat(number.id()).isNotEqualTo(text.id());
            assertThat(Response.result(number.id(), "{}").json()).contains("\"id\":1,");
            assertThat(Response.result(text.id(), "{}").json()).contains("\"id\":\"1\",");
        }
    }

    @Nested
    class B8ResultAndError {

        @Test
        void resultTogetherWithErrorIsRejected() {
            assertNotRequest(V + "\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}", "both");
        }

        @Test
        void messageWithoutResultAndErrorIsRejected() {
            assertNotRequest(V + "\"id\":1}", "neither");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"\"result\":{}", "\"error\":{\"code\":1,\"message\":\"\"}"})
        void resultOrErrorBesideAMethodIsRejected(String member) {
            assertNotRequest(V + "\"id\":1,\"method\":\"ping\"," + member + "}", "'method' and also");
        }
    }

    @Nested
    class B9Batches {

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"[]", "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", "[1", " \r\n["})
        void batchIsRejected(String json) {
            assertNotRequest(json, "batch");
        }
    }
}

package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpliceTest {

    private static final String CALL = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"";

    private final Message call = scan(
            CALL + ",\"params\":{\"name\":\"n\",\"_meta\":{\"progressToken\":5,\"v/x\":1},\"arguments\":{\"a\":1.0}}}");

    @Nested
    class Replacing {

        @Test
        void changesOnlyTheNamedParts() {
            var spliced = call.splice()
                    .id(MessageId.of("new"))
                    .replace(Part.NAME, "\"other\"")
                    .done();

            assertThat(spliced.json())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"new\",\"method\":\"x\",\"params\":{\"name\":\"other\","
                            + "\"_meta\":{\"progressToken\":5,\"v/x\":1},\"arguments\":{\"a\":1.0}}}");
            assertThat(((Request) spliced).id()).isEqualTo(MessageId.of("new"));
        }

        @Test
        void ofAnObjectFindsThePartsInTheNewOne() {
            var spliced = call.splice()
                    .replace(Part.PARAMS, " {\"cursor\":\"c\",\"_meta\":{\"traceparent\":\"t\"}} ")
                    .done();

            assertThat(spliced.has(Part.NAME)).isFalse();
            assertThat(spliced.text(Part.CURSOR)).contains("c");
            assertThat(spliced.text(Part.TRACEPARENT)).contains("t");
        }

        @Test
        void ofAnAbsentPartFails() {
            assertThatThrownBy(() -> call.splice().replace(Part.CURSOR, "1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no CURSOR");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"", "1,\"x\":2", "1}", "{", "nope", "\"a", "1 2"})
        void bySomethingElseThanAValueFails(String raw) {
            assertThatThrownBy(() -> call.splice().replace(Part.NAME, raw))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'name'");
        }

        @Test
        void byAnIdThatIsNoneFails() {
            assertThatThrownBy(() -> call.splice().replace(Part.ID, "1.5").done())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'id' is 1.5");
        }

        @Test
        void makesLineEndsSpaces() {
            assertThat(call.splice()
                            .replace(Part.ARGUMENTS, "{\r\n\"a\":\n1}")
                            .done()
                            .raw(Part.ARGUMENTS))
                    .contains("{  \"a\": 1}");
        }
    }

    @Nested
    class Removing {

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "{\"name\":1}                                      | {}",
                    "{\"name\":1,\"uri\":2}                            | {}",
                    "{ \"name\" : 1 , \"uri\" : 2 }                    | {  }",
                    "{\"name\":1,\"a\":3}                              | {\"a\":3}",
                    "{\"a\":3,\"name\":1}                              | {\"a\":3}",
                    "{\"a\":3 , \"name\":1 }                           | {\"a\":3  }",
                    "{\"name\":1,\"a\":3,\"uri\":2}                    | {\"a\":3}",
                    "{\"a\":3,\"name\":1,\"uri\":2}                    | {\"a\":3}",
                    "{\"name\":1,\"uri\":2,\"a\":3}                    | {\"a\":3}",
                    "{\"a\":3,\"name\":1,\"uri\":2,\"b\":4}            | {\"a\":3,\"b\":4}",
                    "{\"a\":3,\"name\":1,\"c\":5,\"uri\":2,\"b\":4}    | {\"a\":3,\"c\":5,\"b\":4}",
                    "{\"a\\\\\\\"\":3,\"\\u006eame\":1}                | {\"a\\\\\\\"\":3}",
                })
        void takesKeyAndComma(String params, String left) {
            var message = scan(CALL + ",\"params\":" + params + "}");

            var spliced = message.splice()
                    .remove(Part.NAME)
                    .remove(Part.URI)
                    .remove(Part.REF)
                    .done();

            assertThat(spliced.raw(Part.PARAMS)).contains(left);
        }

        @Test
        void whatAMessageNeedsFails() {
            assertThatThrownBy(() -> call.splice().remove(Part.ID)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class Putting {

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
        void addsOrReplaces(String params, String changed) {
            var message = scan(CALL + ",\"params\":" + params + "}");

            var spliced = message.splice()
                    .putParam("p", "0")
                    .putMeta("k", "[]")
                    .putMeta("traceparent", "\"t\"")
                    .done();

            assertThat(spliced.text(Part.TRACEPARENT)).contains("t");
            assertThat(scan(spliced.json()).text(Part.TRACEPARENT)).contains("t");
            assertThat(spliced.raw(Part.PARAMS)).contains(changed);
        }

        @Test
        void makesParamsAndMetaWhereTheyAreMissing() {
            var spliced =
                    scan(CALL + "}").splice().putMeta("progressToken", "7").done();

            assertThat(spliced.json()).isEqualTo(CALL + ",\"params\":{\"_meta\":{\"progressToken\":7}}}");
            assertThat(spliced.raw(Part.PROGRESS_TOKEN)).contains("7");
        }

        @Test
        void makesMetaOfAResult() {
            var spliced = scan("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}")
                    .splice()
                    .putMeta("io.modelcontextprotocol/subscriptionId", "5")
                    .putResult("ttlMs", "0")
                    .done();

            assertThat(spliced.raw(Part.RESULT_META)).contains("{\"io.modelcontextprotocol/subscriptionId\":5}");
            assertThat(spliced.raw(Part.SUBSCRIPTION_ID)).contains("5");
            assertThat(spliced.raw(Part.TTL_MS)).contains("0");
        }

        @Test
        void afterRemovingTheWholeObjectMakesANewOne() {
            var spliced = call.splice().remove(Part.META).putMeta("k", "1").done();

            assertThat(spliced.raw(Part.META)).contains("{\"k\":1}");
        }

        @Test
        void afterRemovingAllMembersNeedsNoComma() {
            var message = scan(CALL + ",\"params\":{\"_meta\":{\"progressToken\":5,\"traceparent\":\"t\"}}}");

            var spliced = message.splice()
                    .remove(Part.PROGRESS_TOKEN)
                    .remove(Part.TRACEPARENT)
                    .putMeta("k", "1")
                    .done();

            assertThat(spliced.raw(Part.META)).contains("{\"k\":1}");
        }

        @Test
        void movesTheTokenOfAProgressNotification() {
            var progress = Notification.of(Methods.PROGRESS, "{\"progress\":1,\"progressToken\":\"theirs\"}");

            assertThat(progress.text(Part.PROGRESS_TOKEN)).contains("theirs");
            assertThat(progress.splice()
                            .replace(Part.PROGRESS_TOKEN, "9")
                            .done()
                            .raw(Part.PARAMS))
                    .contains("{\"progress\":1,\"progressToken\":9}");
        }

        @Test
        void whereNoObjectCanBeFails() {
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

    @Nested
    class SeveralChanges {

        @Test
        void toOnePartLetTheLastCount() {
            var spliced = call.splice()
                    .replace(Part.NAME, "1")
                    .remove(Part.NAME)
                    .putParam("name", "3")
                    .putParam("name", "4")
                    .done();

            assertThat(spliced.raw(Part.NAME)).contains("4");
        }

        @Test
        void toAnObjectDropTheOnesInsideBefore() {
            var spliced = call.splice()
                    .putMeta("k", "1")
                    .replace(Part.PROGRESS_TOKEN, "6")
                    .replace(Part.META, "{}")
                    .done();

            assertThat(spliced.raw(Part.META)).contains("{}");
        }

        @Test
        void insideAReplacedObjectFail() {
            assertThatThrownBy(() -> call.splice().replace(Part.PARAMS, "{}").putMeta("k", "1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("done()");
            assertThatThrownBy(() -> call.splice().replace(Part.META, "{}").remove(Part.PROGRESS_TOKEN))
                    .isInstanceOf(IllegalStateException.class);
        }

        @Test
        void insideARemovedObjectAreNoMatter() {
            assertThat(call.splice()
                            .remove(Part.META)
                            .remove(Part.PROGRESS_TOKEN)
                            .done()
                            .has(Part.META))
                    .isFalse();
        }

        @Test
        void maybeNone() {
            assertThat(call.splice().done().json()).isEqualTo(call.json());
        }
    }
}

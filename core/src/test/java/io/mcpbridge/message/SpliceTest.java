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
        void replaceChangesOnlyTheNamedParts() {
            var spliced = call.splice()
                    .id(MessageId.of("new"))
                    .replace(MessageField.NAME, "\"other\"")
                    .done();

            assertThat(spliced.json())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"new\",\"method\":\"x\",\"params\":{\"name\":\"other\","
                            + "\"_meta\":{\"progressToken\":5,\"v/x\":1},\"arguments\":{\"a\":1.0}}}");
            assertThat(((Request) spliced).id()).isEqualTo(MessageId.of("new"));
        }

        @ParameterizedTest(name = "[{0}]")
        @ValueSource(strings = {"", "other", "a \"quoted\" \\ one", "line\nbreak", "\u00fcml\u00e4ut \ud83d\ude00"})
        void replacedTextIsQuotedAndRead(String text) {
            var spliced = call.splice()
                    .replaceText(MessageField.NAME, text)
                    .putMeta("k", "2")
                    .done();

            assertThat(spliced.text(MessageField.NAME)).contains(text);
            assertThat(scan(spliced.json()).text(MessageField.NAME)).contains(text);
            assertThat(spliced.splice().id(MessageId.of(7)).done().json())
                    .isEqualTo(call.splice()
                            .id(MessageId.of(7))
                            .replace(MessageField.NAME, JsonStrings.quote(text))
                            .putMeta("k", "2")
                            .done()
                            .json());
        }

        @Test
        void replacedObjectIsScannedForItsParts() {
            var spliced = call.splice()
                    .replace(MessageField.PARAMS, " {\"cursor\":\"c\",\"_meta\":{\"traceparent\":\"t\"}} ")
                    .done();

            assertThat(spliced.has(MessageField.NAME)).isFalse();
            assertThat(spliced.text(MessageField.CURSOR)).contains("c");
            assertThat(spliced.text(MessageField.TRACEPARENT)).contains("t");
        }

        @Test
        void replacingAnAbsentPartFails() {
            assertThatThrownBy(() -> call.splice().replace(MessageField.CURSOR, "1"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no CURSOR");
            assertThatThrownBy(() -> call.splice().replaceText(MessageField.CURSOR, "c"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no CURSOR");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"", "1,\"x\":2", "1}", "{", "nope", "\"a", "1 2"})
        void replacingByAnInvalidValueFails(String raw) {
            assertThatThrownBy(() -> call.splice().replace(MessageField.NAME, raw))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'name'");
        }

        @Test
        void replacingByAnInvalidIdFails() {
            assertThatThrownBy(
                            () -> call.splice().replace(MessageField.ID, "1.5").done())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'id' is 1.5");
        }

        @Test
        void lineEndsBecomeSpaces() {
            assertThat(call.splice()
                            .replace(MessageField.ARGUMENTS, "{\r\n\"a\":\n1}")
                            .done()
                            .raw(MessageField.ARGUMENTS))
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
        void removeTakesKeyAndComma(String params, String left) {
            var message = scan(CALL + ",\"params\":" + params + "}");

            var spliced = message.splice()
                    .remove(MessageField.NAME)
                    .remove(MessageField.URI)
                    .remove(MessageField.REF)
                    .done();

            assertThat(spliced.raw(MessageField.PARAMS)).contains(left);
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "{\"_meta\":{\"progressToken\":1}}                              | {}",
                    "{\"a\" : 1.0 , \"_meta\" : { \"progressToken\" : 1 } }           | {\"a\" : 1.0  }",
                    "{\"_meta\":{\"progressToken\":1,\"traceparent\":2},\"a\":[ ]}     | {\"a\":[ ]}",
                    "{\"_meta\":{\"progressToken\":1,\"b\":2},\"a\":3}               | {\"_meta\":{\"b\":2},\"a\":3}",
                    "{\"_meta\":{}}                                                 | {\"_meta\":{}}",
                    "{\"_meta\":{ },\"a\":3}                                        | {\"_meta\":{ },\"a\":3}",
                })
        void removingTheLastMemberOfMetaRemovesMeta(String params, String left) {
            var message = scan(CALL + ",\"params\":" + params + "}");

            var spliced = message.splice()
                    .remove(MessageField.PROGRESS_TOKEN)
                    .remove(MessageField.TRACEPARENT)
                    .done();

            assertThat(spliced.raw(MessageField.PARAMS)).contains(left);
        }

        @Test
        void metaStaysIfAnotherMemberIsPut() {
            var message = scan(CALL + ",\"params\":{\"_meta\":{\"progressToken\":1}}}");

            var spliced = message.splice()
                    .remove(MessageField.PROGRESS_TOKEN)
                    .putMeta("b", "2")
                    .done();

            assertThat(spliced.raw(MessageField.PARAMS)).contains("{\"_meta\":{\"b\":2}}");
            assertThat(spliced.raw(MessageField.META)).contains("{\"b\":2}");
        }

        @Test
        void removingARequiredPartFails() {
            assertThatThrownBy(() -> call.splice().remove(MessageField.ID))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class SeveralChanges {

        @Test
        void lastChangeOfAPartWins() {
            var spliced = call.splice()
                    .replace(MessageField.NAME, "1")
                    .remove(MessageField.NAME)
                    .putParam("name", "3")
                    .putParam("name", "4")
                    .done();

            assertThat(spliced.raw(MessageField.NAME)).contains("4");
        }

        @Test
        void changesOfAnObjectAndItsPartsFail() {
            assertRejected(call.splice().putMeta("k", "1").replace(MessageField.META, "{}"));
            assertRejected(
                    call.splice().replace(MessageField.PROGRESS_TOKEN, "6").replace(MessageField.META, "{}"));
            assertRejected(call.splice().replace(MessageField.PARAMS, "{}").putMeta("k", "1"));
            assertRejected(call.splice().replace(MessageField.META, "{}").remove(MessageField.PROGRESS_TOKEN));
            assertRejected(call.splice().remove(MessageField.META).remove(MessageField.PROGRESS_TOKEN));
            assertRejected(call.splice().remove(MessageField.META).putMeta("k", "1"));
            assertRejected(scan(CALL + ",\"params\":{\"a\":1}}")
                    .splice()
                    .putMeta("k", "1")
                    .replace(MessageField.PARAMS, "{\"b\":2}"));
        }

        private void assertRejected(Splice splice) {
            assertThatThrownBy(splice::done)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("done()");
        }

        @Test
        void spliceWithoutChangesIsUnchanged() {
            assertThat(call.splice().done().json()).isEqualTo(call.json());
        }
    }
}

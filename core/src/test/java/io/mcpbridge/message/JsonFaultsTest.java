package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.assertNotJson;
import static io.mcpbridge.message.Scanning.assertNotRequest;
import static io.mcpbridge.message.Scanning.scan;
import static io.mcpbridge.message.Scanning.withArguments;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not JSON, or more than one piece of it, never becomes a message. */
class JsonFaultsTest {

    @Nested
    class A7DeepNesting {

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":"})
        void deepNestingIsRejectedWithoutAStackOverflow(String opening) {
            assertNotRequest(withArguments("\"a\":" + opening.repeat(100_000)), "maxDepth is 100");
        }
    }

    @Nested
    class A8OddNumbers {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {"0", "-0", "1e400", "-1.50E+007", "0.1e-9", "1E5", "123456789012345678901234567890", "5.0"})
        void numbersAreKeptByteForByte(String number) {
            assertThat(scan(withArguments("\"n\":" + number)).raw(MessageField.ARGUMENTS))
                    .contains("{\"n\":" + number + "}");
        }

        @Test
        void tenThousandDigitsAreKeptByteForByte() {
            String number = "9".repeat(10_000) + "." + "1".repeat(10_000);

            assertThat(scan(withArguments("\"n\":" + number)).raw(MessageField.ARGUMENTS))
                    .contains("{\"n\":" + number + "}");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {"01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "1_000", "--1", "1.e5", "-a", "00", "1.2.3"
                })
        void malformedNumbersAreNotJson(String number) {
            assertNotJson(withArguments("\"n\":" + number));
        }
    }

    @Nested
    class A9ManyTokens {

        @Test
        void aMillionKeysAreRejected() {
            var members = new StringBuilder("\"a\":0");
            for (int i = 0; i < 300_000; i++) {
                members.append(",\"").append(i).append("\":0");
            }

            assertNotRequest(withArguments(members.toString()), "maxTokens is 200000");
            assertNotRequest(Scanning.request("{" + members + "}"), "maxOtherKeys is 10000");
        }

        @Test
        void aMillionElementsAreRejected() {
            assertNotRequest(withArguments("\"a\":[" + "0,".repeat(1_000_000) + "0]"), "maxTokens is 200000");
        }
    }

    @Nested
    class A10TwoMessages {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}",
                    " {}",
                    "x",
                    "}",
                    "]",
                    ",",
                    " 1",
                    "\u00e9",
                    "null"
                })
        void trailingContentIsRejected(String more) {
            assertNotRequest(withArguments("") + more, "behind the message");
        }

        @Test
        void trailingSpaceIsAccepted() {
            assertThat(scan(" \t" + withArguments("") + " \t\r\n")).isInstanceOf(Request.class);
        }
    }

    @Nested
    class A11PrettyPrinted {

        @Test
        void lineEndsOfAWholeMessageBecomeSpaces() {
            var message = scan(
                    "{\r\n\"jsonrpc\":\"2.0\",\n\t\"id\":1,\r\"method\" : \n\"ping\",\"params\":{\"a\":[\n1,\r\n2]}}");

            assertThat(message.json()).doesNotContain("\r", "\n").contains("\"method\" :  \"ping\"");
            assertThat(message.raw(MessageField.PARAMS)).contains("{\"a\":[ 1,  2]}");
        }

        @ParameterizedTest(name = "{0}")
        @ValueSource(strings = {"{", "  \"jsonrpc\": \"2.0\",", "  \"params\": {", "}", "  }"})
        void singleLineOfAPrettyPrintedMessageIsNotJson(String line) {
            assertNotJson(line);
        }
    }

    @Nested
    class A12LineEnds {

        @ParameterizedTest(name = "behind {0} bytes")
        @ValueSource(ints = {0, 1, 7, 8, 9, 15, 16})
        void plainTextIsAllThatNeedsNoEscape(int before) {
            for (char b = 0; b < 128; b++) {
                var frame = withArguments("\"t\":\"" + "x".repeat(before) + b + "yyyyyyyyyyyyyyyy\"");

                if (b < ' ' || b == '"' || b == '\\') {
                    assertNotJson(frame);
                } else {
                    assertThat(scan(frame).json()).isEqualTo(frame);
                }
            }
        }

        @ParameterizedTest(name = "control {0}")
        @ValueSource(ints = {0, 1, 8, 9, 10, 12, 13, 27, 31})
        void controlsInsideStringsAreNotJson(int control) {
            String text = Character.toString(control);

            assertNotJson(withArguments("\"text\":\"a" + text + "b\""));
            assertNotJson(withArguments("\"a" + text + "b\":1"));
        }

        @ParameterizedTest(name = "U+{0}")
        @ValueSource(strings = {"2028", "2029", "85", "A0"})
        void otherLineEndsAreValidOnlyInsideStrings(String codePoint) {
            String text = Character.toString(Integer.parseInt(codePoint, 16));

            assertThat(scan(withArguments("\"t\":\"" + text + "\"")).json()).contains("\"" + text + "\"");
            assertNotJson(withArguments("\"t\":" + text + "1"));
        }

        @ParameterizedTest(name = "control {0}")
        @ValueSource(ints = {0, 8, 11, 12, 127})
        void otherControlsAreNotWhitespace(int control) {
            assertNotJson(withArguments("\"t\":" + Character.toString(control) + "1"));
        }
    }

    @Nested
    class A15NotQuiteJson {

        @ParameterizedTest(name = "{0}")
        @ValueSource(
                strings = {
                    "\"a\":NaN",
                    "\"a\":Infinity",
                    "\"a\":-Infinity",
                    "\"a\":1 // one",
                    "\"a\":/* one */1",
                    "# \"a\":1",
                    "'a':1",
                    "\"a\":'b'",
                    "a:1",
                    "\"a\":1,",
                    "\"a\"",
                    "\"a\":",
                    "\"a\" 1",
                    "\"a\"::1",
                    "\"a\":1 \"b\":2",
                    ",",
                    "\"a\":[1,]",
                    "\"a\":[,1]",
                    "\"a\":[1 2]",
                    "\"a\":[1}",
                    "\"a\":{]",
                    "\"a\":{\"b\":1]",
                    "\"a\":True",
                    "\"a\":nul",
                    "\"a\":nulll",
                    "\"a\":undefined",
                    "\"a\":\"\\x\"",
                    "\"a\":\"\\u12G4\"",
                    "\"a\":\"\\u12",
                    "\"a\":\"\\U0041\"",
                    "\"a\":\"b",
                    "\"a\":\"\\",
                    "\"a\":tru",
                    "1:2",
                    "null:1",
                    "\"a\":[\"b\":1]",
                })
        void nearlyJsonIsRejected(String members) {
            assertNotJson(withArguments(members));
        }

        @ParameterizedTest(name = "\"{0}\"")
        @ValueSource(strings = {"", "  ", "hello", "GET / HTTP/1.1", "{", "{\"", "nul", "}", "\"jsonrpc\":\"2.0\""})
        void otherFramesAreNotJson(String frame) {
            assertNotJson(frame);
        }

        @Test
        void everyPrefixOfAMessageIsNotJson() {
            String json = withArguments("\"a\":[1.5e3,\"b\\u00e9\\n\",true,{\"c\":null}],\"\u20ac\":\"\ud83d\ude00\"");

            for (int end = 0; end < json.length(); end++) {
                if (!Character.isLowSurrogate(json.charAt(end))) {
                    assertNotJson(json.substring(0, end));
                }
            }
        }

        @Test
        void errorStatesWhatWasFoundAndWhatIsExpected() {
            var refusal = Scanning.refusal(withArguments("\"a\":NaN"));

            assertThat(refusal).hasMessage("Found 'NaN}}}' at byte 87, where JSON has a value");
        }
    }
}

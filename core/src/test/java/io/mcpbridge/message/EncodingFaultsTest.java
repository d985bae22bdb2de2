package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.refusal;
import static io.mcpbridge.message.Scanning.scan;
import static io.mcpbridge.message.Scanning.withArguments;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ErrorCode;
import java.nio.charset.Charset;
import java.util.HexFormat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not UTF-8 never becomes a message. */
class EncodingFaultsTest {

    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    @Nested
    class A3InvalidUtf8 {

        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "overlong slash, c0af",
            "overlong NUL, c080",
            "overlong in two bytes, c1bf",
            "overlong in three bytes, e09fbf",
            "overlong in four bytes, f08fbfbf",
            "high surrogate, eda080",
            "low surrogate, edbfbf",
            "beyond U+10FFFF, f4908080",
            "first byte beyond all, f5808080",
            "first byte FF, ff",
            "lone next byte, 80",
            "two bytes cut short, c3",
            "three bytes cut short, e282",
            "four bytes cut short, f09f98",
            "second byte is plain, e24141",
            "third byte is plain, e28241",
            "fourth byte is plain, f09f9841",
        })
        void invalidUtf8IsNotJson(String name, String hex) {
            String bytes = new String(HexFormat.of().parseHex(hex), ISO_8859_1);
            byte[] json =
                    withArguments("\"text\":\"before " + bytes + " behind\"").getBytes(ISO_8859_1);

            var refusal = refusal(json, Limits.CLIENT);

            assertThat(refusal.code()).isEqualTo(ErrorCode.PARSE_ERROR);
            assertThat(refusal).hasMessageContaining("UTF-8").hasMessageContaining("\\x");
        }

        @ParameterizedTest(name = "at the end: {0}")
        @ValueSource(strings = {"c3", "e282", "f09f98"})
        void truncatedUtf8IsNotJson(String hex) {
            String bytes = new String(HexFormat.of().parseHex(hex), ISO_8859_1);

            var refusal = refusal(("{\"a\":\"" + bytes).getBytes(ISO_8859_1), Limits.CLIENT);

            assertThat(refusal.code()).isEqualTo(ErrorCode.PARSE_ERROR);
        }

        @ParameterizedTest(name = "U+{0}")
        @ValueSource(strings = {"7F", "80", "7FF", "800", "D7FF", "E000", "FFFF", "10000", "3FFFF", "40000", "10FFFF"})
        void boundaryCodePointsAreAccepted(String codePoint) {
            String text = Character.toString(Integer.parseInt(codePoint, 16));

            var message = scan(withArguments("\"text\":\"" + text + "\""));

            assertThat(message.raw(MessageField.ARGUMENTS)).contains("{\"text\":\"" + text + "\"}");
        }
    }

    @Nested
    class A4OtherEncodings {

        @Test
        void byteOrderMarkIsNotJson() {
            var refusal = refusal("\uFEFF" + PING);

            assertThat(refusal.code()).isEqualTo(ErrorCode.PARSE_ERROR);
            assertThat(refusal)
                    .hasMessageContaining("\\xEF\\xBB\\xBF")
                    .hasMessageContaining("without a byte order mark");
        }

        @Test
        void wideEncodingsAreNotJson() {
            for (Charset charset :
                    new Charset[] {UTF_16BE, UTF_16LE, Charset.forName("UTF-32BE"), Charset.forName("UTF-32LE")}) {
                assertThat(refusal(PING.getBytes(charset), Limits.CLIENT).code())
                        .isEqualTo(ErrorCode.PARSE_ERROR);
                assertThat(refusal(("\uFEFF" + PING).getBytes(charset), Limits.CLIENT)
                                .code())
                        .isEqualTo(ErrorCode.PARSE_ERROR);
            }
        }

        @Test
        void sameTextInUtf8IsAMessage() {
            assertThat(Message.scan(PING.getBytes(UTF_8), Limits.CLIENT)).isInstanceOf(Request.class);
        }
    }
}

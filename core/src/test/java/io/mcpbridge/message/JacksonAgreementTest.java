package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Random damage to random messages, with a fixed seed: what is JSON is decided as Jackson decides it. */
class JacksonAgreementTest {

    private static final int ROUNDS = 60_000;
    private static final List<String> DAMAGE = List.of(
            "\"",
            "\\",
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "0",
            "1",
            "-",
            ".",
            "e",
            "E",
            "+",
            "u",
            "t",
            "n",
            "/",
            "'",
            " ",
            "\n",
            "\t",
            "\0",
            "\u001f",
            "\u007f",
            "\u00c3",
            "\u00a9",
            "\u00e2\u0082\u00ac",
            "\u00ed\u00a0\u0080",
            "\u00c0\u00af",
            "\u00f0\u009f\u0098\u0080",
            "\u00ef\u00bb\u00bf",
            "\\u00e9",
            "\\ud800",
            "\\u12",
            "null",
            "true",
            "//",
            "NaN",
            ",,",
            "\"\":1,",
            "1e5",
            "{}",
            "[]",
            "\"x\"");

    private final JsonFactory jackson = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNumberLength(1_000_000).build())
            .build();
    private final RandomMessages random = new RandomMessages(1701);

    @Test
    void messagesAcceptedHereAreAcceptedByJackson() {
        int accepted = 0;
        for (int i = 0; i < ROUNDS; i++) {
            byte[] json = damaged(random.message().getBytes(UTF_8), random.number(3));
            byte[] original = json.clone();
            if (isAccepted(json)) {
                accepted++;
                assertThat(isJson(original)).as(new String(original, UTF_8)).isTrue();
            }
        }

        assertThat(accepted).isBetween(ROUNDS / 4, ROUNDS - ROUNDS / 10);
    }

    @Test
    void textRejectedAsNotJsonIsRejectedByJackson() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] json = damaged(random.message().getBytes(UTF_8), 1);
            byte[] original = json.clone();
            if (isRejectedAsNotJson(json)) {
                assertThat(isJson(original)).as(new String(original, UTF_8)).isFalse();
            }
        }
    }

    private static boolean isAccepted(byte[] json) {
        try {
            return Message.scan(json, Limits.CLIENT).length() > 0;
        } catch (ProtocolException e) {
            return false;
        }
    }

    private static boolean isRejectedAsNotJson(byte[] json) {
        try {
            return Message.scan(json, Limits.CLIENT).length() == 0;
        } catch (ProtocolException e) {
            return e.code() == ErrorCode.PARSE_ERROR;
        }
    }

    /** Strict UTF-8, one value, nothing behind it, every string decoded. */
    private boolean isJson(byte[] bytes) {
        try {
            var decoder = UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
            return isSingleValue(decoder.decode(ByteBuffer.wrap(bytes)).toString());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isSingleValue(String text) throws IOException {
        try (var parser = jackson.createParser(text)) {
            int values = 0;
            int depth = 0;
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                assertThat(parser.getText()).isNotNull();
                values += depth == 0 ? 1 : 0;
                depth += token.isStructStart() ? 1 : 0;
                depth -= token.isStructEnd() ? 1 : 0;
            }
            return values == 1;
        }
    }

    private byte[] damaged(byte[] json, int times) {
        byte[] bytes = json;
        for (int i = 0; i < times; i++) {
            int at = random.number(bytes.length);
            int end = Math.min(bytes.length, at + random.number(3));
            String text = new String(bytes, ISO_8859_1);
            bytes = (text.substring(0, at) + random.any(DAMAGE) + text.substring(end)).getBytes(ISO_8859_1);
        }
        return Arrays.copyOf(bytes, bytes.length);
    }
}

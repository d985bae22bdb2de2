package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.scan;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageTest {

    private static final String SECRET = "{\"password\":\"hunter2\"}";

    private final Message request =
            scan("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":" + SECRET + "}");

    @Nested
    class Parts {

        @ParameterizedTest
        @EnumSource
        void partsAreFoundAtTheirPlaces(MessageField part) {
            String value = valueOf(part);

            var message = scan(messageWith(part, value));

            assertThat(message.has(part)).isTrue();
            assertThat(message.raw(part)).contains(value);
            assertThat(message.json().substring(message.start(part), message.end(part)))
                    .isEqualTo(value);
        }

        @Test
        void absentPartsHaveNoPlace() {
            assertThat(request.has(MessageField.ERROR)).isFalse();
            assertThat(request.start(MessageField.ERROR)).isEqualTo(-1);
            assertThat(request.end(MessageField.ERROR)).isEqualTo(-1);
            assertThat(request.raw(MessageField.ERROR)).isEmpty();
            assertThat(request.text(MessageField.ERROR)).isEmpty();
        }

        @Test
        void partsAreFoundAfterEscapedKeysAndSpace() {
            var message =
                    scan("{\"jsonrpc\" : \"2\\u002e0\", \"\\u006dethod\"\n:\t\"pi\\u006eg\" , \"\\u0069\\u0064\": 1 }");

            assertThat(message).isInstanceOf(Request.class).hasToString("Request[ping, id=1]");
        }

        @Test
        void nonStringPartsHaveNoText() {
            assertThat(request.text(MessageField.PARAMS)).isEmpty();
            assertThat(request.text(MessageField.ID)).contains("a");
        }

        @Test
        void partsOfTheSameNameElsewhereAreIgnored() {
            var message = scan("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"name\":1,\"_meta\":{\"traceparent\":1},"
                    + "\"params\":{\"id\":2,\"arguments\":{\"name\":3,\"_meta\":{\"progressToken\":4}}}}");

            assertThat(message.has(MessageField.NAME)).isFalse();
            assertThat(message.has(MessageField.META)).isFalse();
            assertThat(message.has(MessageField.TRACEPARENT)).isFalse();
            assertThat(message.has(MessageField.PROGRESS_TOKEN)).isFalse();
            assertThat(message).isInstanceOf(Notification.class);
        }
    }

    @Nested
    class Bytes {

        @Test
        void bytesAreWrittenUnchanged() {
            var target = ByteBuffer.allocate(request.length());

            request.writeTo(target);

            assertThat(new String(target.array(), UTF_8)).isEqualTo(request.json());
        }

        @Test
        void viewIsReadOnly() {
            assertThat(request.bytes().remaining()).isEqualTo(request.length());
            assertThatThrownBy(() -> request.bytes().put(0, (byte) 0)).isInstanceOf(ReadOnlyBufferException.class);
        }
    }

    @Nested
    class Text {

        @Test
        void toStringHasKindMethodAndIdButNoBody() {
            var notification = Notification.of(Methods.LOG_MESSAGE, SECRET);
            var result = Response.result(MessageId.of(1), SECRET);
            var error = Response.error(-32700, "hunter2");

            assertThat(request).hasToString("Request[tools/call, id=\"a\"]");
            assertThat(notification).hasToString("Notification[notifications/message]");
            assertThat(result).hasToString("Response[result, id=1]");
            assertThat(error).hasToString("Response[error, id=none]");
        }
    }

    private static String valueOf(MessageField part) {
        return switch (part) {
            case ID -> "7";
            case METHOD -> "\"m\"";
            case ERROR_CODE -> "-1";
            case ERROR -> "{\"code\":1}";
            default -> "{\"x\":[1]}";
        };
    }

    private static String messageWith(MessageField part, String value) {
        String member = "\"" + part.key() + "\":" + value;
        return switch (part.scope()) {
            case TOP -> top(part, member);
            case PARAMS -> top(part, "\"method\":\"m\",\"params\":{" + member + "}");
            case META -> top(part, "\"method\":\"m\",\"params\":{\"_meta\":{" + member + "}}");
            case RESULT -> top(part, "\"result\":{" + member + "}");
            case ERROR ->
                top(part, "\"error\":{" + (part == MessageField.ERROR_CODE ? "" : "\"code\":1,") + member + "}");
        };
    }

    private static String top(MessageField part, String members) {
        String id = part == MessageField.ID ? "" : "\"id\":1,";
        String method = part == MessageField.ID || part == MessageField.PARAMS ? "\"method\":\"m\"," : "";
        return "{\"jsonrpc\":\"2.0\"," + id + method + members + "}";
    }
}

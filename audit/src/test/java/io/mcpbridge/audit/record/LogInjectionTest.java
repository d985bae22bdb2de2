package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Principal;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** I7: whatever a text holds, a record is one line that shows it. */
class LogInjectionTest {
    private final AuditRecords records = TestRecords.at(RecordSettings.Level.RESULT);

    static Stream<String> hostileTexts() {
        return Stream.of(
                "a\nb",
                "a\r\n{\"data\":{}}",
                "\u001b[2J\u001b]0;title\u0007",
                "\u009b31m",
                "\u0085next line",
                "\u2028\u2029",
                "\u202eevil\u202c",
                "\u2066hidden\u2069",
                "\u200bzero\u200d\ufeff",
                "\ud800 alone",
                "alone \udc00",
                "\udc00\ud800",
                "\u0000",
                "\u007f",
                "\\u202e is written so",
                "\"},\"zhash\":\"0\"}",
                "\uDB40\uDC01 tag");
    }

    @ParameterizedTest
    @MethodSource("hostileTexts")
    void i7RecordIsOneLineOfVisibleCharacters(String text) {
        for (var body : everythingWith(text)) {
            var line = Events.line(body);

            assertThat(line.chars().filter(LogInjectionTest::isHidden)).as(line).isEmpty();
            assertThat(ParsedRecord.parse(line.getBytes(UTF_8)).faultAfter(ChainHead.START))
                    .isEmpty();
        }
    }

    @Test
    void i7DifferentTextsAreShownDifferently() {
        assertThat(client("\u202e")).isEqualTo("\\u202e");
        assertThat(client("\\u202e")).isEqualTo("\\u005cu202e");
        assertThat(client("\ud800")).isEqualTo("\\ud800");
        assertThat(client("C:\\Users\\me")).isEqualTo("C:\\Users\\me");
        assertThat(client("😀 日本")).isEqualTo("😀 日本");
    }

    @Test
    void i7LoneSurrogatesInArgumentsAreKeptAsSent() {
        var read = Events.read(records.enter(Events.enter("{\"a\":\"\\ud800\",\"b\":[\"\\udc00\"]}"), Events.TIME));

        assertThat(read.text("arguments")).contains("{\"a\":\"\\ud800\",\"b\":[\"\\udc00\"]}");
    }

    /** No message has such a key: it is rejected when the message is read. */
    @Test
    void i7LoneSurrogateInAKeyIsShownAsText() {
        var read = Events.read(records.enter(Events.enter("{\"\\udc00\":1}"), Events.TIME));

        assertThat(read.text("arguments")).contains("{\"\\u005cudc00\":1}");
    }

    @Test
    void i7HiddenCharactersInArgumentsAreEscaped() {
        var read = Events.read(records.enter(Events.enter("{\"a\":\"\u202e\u0085\"}"), Events.TIME));

        assertThat(read.text("arguments")).contains("{\"a\":\"\\u202e\\u0085\"}");
    }

    @Test
    void i7LineOfAnyTextCanBeReadAgain() {
        var random = new Random(20_261_122);

        for (int i = 0; i < 1_000; i++) {
            var text = new StringBuilder();
            random.ints(random.nextInt(12), 0, 0x10000).forEach(each -> text.append((char) each));
            for (var body : everythingWith(text.toString())) {
                assertThat(Events.read(body).faultAfter(ChainHead.START)).isEmpty();
            }
        }
    }

    private String client(String id) {
        return Events.read(records.denied(Events.denied("t", id, "no"), Events.TIME))
                .text("clientId")
                .orElseThrow();
    }

    private List<RecordBody> everythingWith(String text) {
        var call = AuditedCallFixture.of(text, text, text, text);
        var quoted = JsonStrings.quote(text);
        return List.of(
                records.enter(
                        new ToolEnter(
                                AuditedCallFixture.by(call, text, principal(text), text), "[" + quoted + "]", text, 0),
                        Events.TIME),
                records.enter(Events.enter(text), Events.TIME),
                Events.ended(records, Events.failed(text)),
                Events.ended(records, Events.answered("{\"content\":%s}".formatted(quoted))),
                records.denied(Events.denied(text, text, text), Events.TIME),
                records.note(new AuditNote(text, Map.of("x" + text, text)), Events.TIME));
    }

    private static Principal principal(String text) {
        return text.isEmpty() ? Principal.ANONYMOUS : new Principal(text, text);
    }

    private static boolean isHidden(int c) {
        return c < ' '
                || (c >= 0x7F && c < 0xA0)
                || Character.getType(c) == Character.FORMAT
                || c == 0x2028
                || c == 0x2029;
    }
}

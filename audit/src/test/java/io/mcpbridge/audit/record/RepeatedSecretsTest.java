package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Row I8: what is secret in the arguments of a call is not shown where its answer repeats it. */
class RepeatedSecretsTest {
    private static final String SECRET = "correct/horse battery";
    private static final AuditedCall CALL = Events.call("{\"name\":\"login\",\"annotations\":{\"openWorldHint\":false},"
            + "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"phrase\":{\"x-sensitive\":true},"
            + "\"old\":{\"type\":\"array\",\"items\":{\"format\":\"password\"}},\"pin\":{\"writeOnly\":true}}}}");

    private final AuditRecords records = TestRecords.at(RecordSettings.Level.RESULT);

    @Test
    void i8MarkedArgumentIsHiddenInTheResultInEachForm() {
        var bytes = SECRET.getBytes(UTF_8);
        for (var form : List.of(
                SECRET,
                Base64.getEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(("user:" + SECRET).getBytes(UTF_8)),
                HexFormat.of().formatHex(bytes),
                URLEncoder.encode(SECRET, UTF_8),
                "correct\u200b/horse battery")) {
            var line =
                    repeating("{\"phrase\":%s}".formatted(JsonStrings.quote(SECRET)), "it is '" + form + "', says [1]");

            assertThat(line).contains("it is '", "says [1]").doesNotContain(form);
        }
    }

    @Test
    void i8MarkedArgumentIsHiddenInStructuredContentTextsAndKeys() {
        enter("1", "{\"phrase\":\"hunter2\"}");

        var line = exit(
                "1",
                "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"seen\\\":\\\"hunter2\\\"}\"}],"
                        + "\"structuredContent\":{\"a\":[\"is hunter2\"],\"hunter2\":1}}");

        assertThat(line).contains("seen", "structuredContent").doesNotContain("hunter2");
    }

    @Test
    void i8EachMarkedElementIsHidden() {
        assertThat(repeating("{\"old\":[\"first-one\",\"other-one\"]}", "first-one, then other-one"))
                .contains(", then ")
                .doesNotContain("first-one", "other-one");
    }

    @Test
    void i8SecretNumberIsHiddenAsANumberAndInTexts() {
        enter("1", "{\"pin\":471100}");

        var line = exit(
                "1",
                "{\"content\":[{\"type\":\"text\",\"text\":\"pin 471100\"}],\"structuredContent\":{\"pin\":471100}}");

        assertThat(line).contains("pin").doesNotContain("471100");
    }

    @Test
    void i8ShortSecretIsHiddenOnlyAsAWholeValue() {
        enter("1", "{\"pin\":7,\"phrase\":\"ab\"}");

        var line = exit(
                "1", "{\"content\":[{\"type\":\"text\",\"text\":\"ab\"},{\"n\":7,\"m\":17,\"text\":\"abc is seen\"}]}");

        assertThat(line)
                .contains("abc is seen", "\\\"m\\\":17")
                .doesNotContain("\\\"text\\\":\\\"ab\\\"", "\\\"n\\\":7");
    }

    @Test
    void i8ValueOfASecretNameIsHiddenInTheResult() {
        assertThat(repeating("{\"password\":\"hunter2\"}", "logged in with hunter2"))
                .contains("logged in with ")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @EnumSource(names = {"ARGUMENTS", "RESULT"})
    void i8MarkedArgumentIsHiddenInErrors(RecordSettings.Level level) {
        assertThat(refusing(level, "{\"phrase\":\"hunter2\"}", "'hunter2' is wrong"))
                .contains(" is wrong")
                .doesNotContain("hunter2");
    }

    @Test
    void i8LevelMetadataShowsNoArgumentsInErrors() {
        assertThat(refusing(
                        RecordSettings.Level.METADATA,
                        "{\"phrase\":\"hunter2\",\"to\":\"bob\"}",
                        "'hunter2' is not bob's"))
                .contains("\"code\":-32000", "\"errorHash\":\"hmac-sha256:", "\"errorSize\":22")
                .doesNotContain("hunter2", "bob");
    }

    @ParameterizedTest(name = "a name after {0}")
    @ValueSource(
            strings = {
                "{\"a\":\"late-word-1\"}",
                "[[\"late-word-1\"]]",
                "\"late-word-1\"",
                "\"x\",\"val\":\"late-word-1\"",
                "\"late-word-1\",\"default\":[]",
                "{\"value\":\"late-word-1\",\"name\":\"token\"}"
            })
    void i8ValueBeforeItsSecretNameIsHiddenInAllItsParts(String value) {
        var arguments = "{\"variables\":[{\"value\":%s,\"name\":\"password\"}],\"n\":\"seen\"}".formatted(value);

        var enter = enter("1", arguments);
        var exit = exit("1", "{\"content\":[{\"type\":\"text\",\"text\":\"it was late-word-1\"}]}");

        assertThat(enter).contains("seen").doesNotContain("late-word-1");
        assertThat(exit).contains("it was ").doesNotContain("late-word-1");
    }

    @Test
    void i8NestedValuesBeforeTheirNamesAreRedactedInLinearTime() {
        var deep = new StringBuilder("\"late-word-1\"");
        for (int i = 0; i < 2_000; i++) {
            deep.insert(0, "{\"value\":").append(",\"name\":\"token\"}");
        }

        assertThat(enter("1", deep.toString())).contains("truncated").doesNotContain("late-word-1");
    }

    @Test
    void i8ResultIsNotShownIfTheArgumentsAreUnknown() {
        assertIsWithheld(exit("1", "{\"content\":[{\"type\":\"text\",\"text\":\"hunter2\"}]}"));
    }

    @Test
    void i8ErrorIsNotShownIfTheArgumentsAreUnknown() {
        assertIsWithheld(failure(records, "1", "hunter2 is wrong"));
    }

    @ParameterizedTest
    @MethodSource("partlyInspectedArguments")
    void i8ResultIsNotShownIfTheArgumentsAreNotAllSearched(String arguments) {
        assertIsWithheld(repeating(arguments, "it was hunter2"));
    }

    @ParameterizedTest
    @MethodSource("partlyInspectedArguments")
    void i8ErrorIsNotShownIfTheArgumentsAreNotAllSearched(String arguments) {
        assertIsWithheld(refusing(RecordSettings.Level.ARGUMENTS, arguments, "hunter2 is wrong"));
    }

    static Stream<Named<String>> partlyInspectedArguments() {
        var others = IntStream.range(0, 39).mapToObj("\"secret-%d\""::formatted).toList();
        var list = Stream.concat(others.stream(), Stream.of("\"hunter2\"")).toList();
        var filler = "x".repeat(100_000);
        return Stream.of(
                named("more than are looked for, by their marks", "{\"old\":%s}".formatted(list)),
                named("more than are looked for, by their name", "{\"password\":%s}".formatted(list)),
                named("one by its mark behind the cut", "{\"a\":\"%s\",\"phrase\":\"hunter2\"}".formatted(filler)),
                named("one by its name behind the cut", "{\"a\":\"%s\",\"password\":\"hunter2\"}".formatted(filler)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void i8AnswerIsNotShownIfItsSecretsWereEvicted(AuditedCall call) {
        var records = TestRecords.at(RecordSettings.Level.RESULT);
        var arguments = "{\"password\":[\"hunter2\",\"%s\"]}".formatted("x".repeat(16_000));
        for (int i = 0; i < 301; i++) {
            var unused = records.enter(event("call-" + i, call, arguments), Events.TIME);
        }

        var result = Response.result(MessageId.of(1), "{\"a\":\"hunter2\"}");
        assertIsWithheld(Events.line(records.exit(event("call-0", call, Outcome.answered(result)), Events.TIME)));
        assertIsWithheld(failure(records, "call-1", "hunter2 is wrong"));
        assertThat(failure(records, "call-300", "hunter2 is wrong"))
                .contains(" is wrong")
                .doesNotContain("hunter2");
    }

    static Stream<Named<AuditedCall>> calls() {
        return Stream.of(named("with marks", CALL), named("without marks", Events.call(Events.CLOSED)));
    }

    @Test
    void i8CallWithoutSecretsIsNotEvictedByCallsWithMany() {
        enter("quiet", "{\"a\":\"seen\"}");
        for (int i = 0; i < 300; i++) {
            enter("call-" + i, "{\"password\":\"%s\"}".formatted("x".repeat(16_000)));
        }

        assertThat(failure(records, "quiet", "a is seen")).contains("\"error\":\"a is seen\"");
    }

    @Test
    void i8SecretsDoNotAffectOtherCalls() {
        enter("1", "{\"phrase\":\"the-word\"}");
        enter("2", "{\"phrase\":\"another\"}");

        assertThat(exit("2", "{\"content\":[{\"type\":\"text\",\"text\":\"the-word\"}]}"))
                .contains("the-word");
        assertThat(exit("1", "{\"content\":[{\"type\":\"text\",\"text\":\"the-word\"}]}"))
                .doesNotContain("the-word");
    }

    @Test
    void i8CallsThatNeverEndAreEvicted() {
        for (int i = 0; i < 5_000; i++) {
            enter("call-" + i, "{\"phrase\":\"hunter2\"}");
        }

        assertThat(exit("call-0", "{\"a\":\"hunter2\"}")).doesNotContain("hunter2");
        assertThat(exit("call-4999", "{\"a\":\"hunter2\",\"b\":\"seen\"}"))
                .contains("seen")
                .doesNotContain("hunter2");
    }

    /** The exit of a call with such arguments, whose result is a text. */
    private String repeating(String arguments, String text) {
        enter("1", arguments);
        return exit("1", "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(JsonStrings.quote(text)));
    }

    /** The exit of a call with such arguments that ends with an error. */
    private static String refusing(RecordSettings.Level level, String arguments, String error) {
        var records = TestRecords.at(level);
        var unused = records.enter(event("1", CALL, arguments), Events.TIME);
        return failure(records, "1", error);
    }

    private static String failure(AuditRecords records, String correlationId, String error) {
        var outcome = Outcome.answered(Response.error(MessageId.of(1), -32000, error));
        return Events.line(records.exit(event(correlationId, CALL, outcome), Events.TIME));
    }

    private static void assertIsWithheld(String line) {
        assertThat(line).containsPattern("(error|result)Hash").doesNotContain("hunter2", "\"result\"", "\"error\":");
    }

    private String enter(String correlationId, String arguments) {
        return Events.line(records.enter(event(correlationId, CALL, arguments), Events.TIME));
    }

    private String exit(String correlationId, String result) {
        var outcome = Outcome.answered(Response.result(MessageId.of(1), result));
        return Events.line(records.exit(event(correlationId, CALL, outcome), Events.TIME));
    }

    private static ToolEnter event(String correlationId, AuditedCall call, String arguments) {
        return new ToolEnter(AuditedCallFixture.by(call, correlationId, Principal.ANONYMOUS, ""), arguments, "", 0);
    }

    private static ToolExit event(String correlationId, AuditedCall call, Outcome outcome) {
        return new ToolExit(
                AuditedCallFixture.by(call, correlationId, Principal.ANONYMOUS, ""), Duration.ZERO, 1, outcome);
    }
}

package io.mcpbridge.audit.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.redact.TextPreview;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A record comes about whatever the arguments are, in bounded time and of bounded size. */
@Timeout(60)
class HostileInputTest {
    private static final int MANY = 16 << 20;

    /** For a machine that does other things too; it takes a twentieth of that. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final AuditRecords records = TestRecords.at(RecordSettings.Level.RESULT);

    static Stream<Arguments> hostileArguments() {
        return Stream.of(
                Arguments.of("a thousand levels", "[".repeat(1_000) + "]".repeat(1_000)),
                Arguments.of("a million levels", "{\"a\":".repeat(1_000_000) + "1" + "}".repeat(1_000_000)),
                Arguments.of("one long text", "{\"a\":\"" + "x".repeat(MANY) + "\"}"),
                Arguments.of("a long text of words", "{\"a\":\"" + "password= ".repeat(MANY / 10) + "\"}"),
                Arguments.of("a long number", "{\"a\":" + "9".repeat(MANY) + "}"),
                Arguments.of("one key very often", "{" + "\"a\":1,".repeat(MANY / 8) + "\"a\":2}"),
                Arguments.of("beginnings of JWTs", "{\"a\":\"" + "eyJ".repeat(20_000) + "\"}"),
                Arguments.of("dots of JWTs", "{\"a\":\"" + "eyJ.".repeat(15_000) + "\"}"),
                Arguments.of("beginnings of keys", "{\"a\":\"" + "-----BEGIN ".repeat(5_000) + "\"}"),
                Arguments.of("addresses", "{\"a\":\"" + "://:".repeat(15_000) + "\"}"),
                Arguments.of("addresses in one another", "{\"a\":\"" + "://a:".repeat(12_000) + "\"}"),
                Arguments.of("words", "{\"a\":\"" + "abcdefghijk ".repeat(5_000) + "\"}"),
                Arguments.of("signs", "{\"a\":\"" + "a=".repeat(30_000) + "\"}"),
                Arguments.of("quotes", "{\"a\":\"" + "token ' ".repeat(7_000) + "\"}"),
                Arguments.of("percents", "{\"a\":\"" + "%41".repeat(20_000) + "\"}"),
                Arguments.of("Base64", "{\"a\":\"" + "ZXlK".repeat(15_000) + "\"}"),
                Arguments.of("many secrets", "{\"a\":[" + "\"token=x\",".repeat(6_000) + "1]}"),
                Arguments.of("JSON in JSON", "{\"a\":\"" + "[\\\"{".repeat(9_000) + "\"}"),
                Arguments.of("no JSON", "{".repeat(60_000)),
                Arguments.of("nothing", ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileArguments")
    void recordOfHostileArgumentsIsMadeInTime(String name, String arguments) {
        long began = System.nanoTime();

        var line = Events.read(records.enter(Events.enter(arguments), Events.TIME));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST);
        assertThat(line.number("argumentsSize")).contains((long) arguments.length());
        assertThat(line.text("arguments").orElseThrow().length()).isLessThanOrEqualTo(TextPreview.MAX_BYTES + 200);
        assertThat(line.data().containsKey("truncated"))
                .isEqualTo(line.text("arguments").orElseThrow().length() < arguments.length()
                        && arguments.length() > TextPreview.MAX_BYTES);
    }

    @Test
    void truncatedSecretIsNotShown() {
        for (int before = 65_470; before < 65_540; before++) {
            var arguments = "{\"a\":\"" + " ".repeat(before) + "AKIA" + "SECRETSECRETSECRET".substring(0, 16) + "\"}";

            var line = Events.line(records.enter(Events.enter(arguments), Events.TIME));

            assertThat(line).doesNotContain("SECR");
        }
    }

    @Test
    void numbersAndDuplicateKeysAreKeptAsSent() {
        var arguments = "{\"n\":12345678901234567890123.450e-400,\"a\":1,\"a\":2, \"z\" : -0.0}";

        var line = Events.read(records.enter(Events.enter(arguments), Events.TIME));

        assertThat(line.text("arguments")).contains(arguments);
    }

    @Test
    void longReferenceChainOfASchemaIsFollowedUpToALimit() {
        var chain = IntStream.range(0, 20_000)
                .mapToObj(each -> "\"d%d\":{\"$ref\":\"#/$defs/d%d\"}".formatted(each, each + 1))
                .collect(Collectors.joining(
                        ",", "{\"$ref\":\"#/$defs/d0\",\"$defs\":{", ",\"d20000\":{\"writeOnly\":true}}}"));
        var definition = "{\"name\":\"x\",\"inputSchema\":%s}".formatted(chain);
        var call = AuditedCallFixture.of("tools/call", "s", "x", definition);

        var line = Events.read(records.enter(Events.enter(call, "{\"a\":\"hunter2\"}"), Events.TIME));

        assertThat(line.text("arguments").orElseThrow()).doesNotContain("hunter2");
    }

    @Test
    void longTextIsTruncatedWithANote() {
        var read = Events.read(Events.ended(records, Events.failed("it failed ".repeat(10_000))));

        assertThat(read.text("error").orElseThrow())
                .endsWith("… (cut from 100000 characters, %s)"
                        .formatted(TestRecords.KEY.hash().of("it failed ".repeat(10_000))));
    }

    @Test
    void namesOfPeersAreTruncatedSoonerThanArguments() {
        var uri = "file:///" + "://a:".repeat(13_000);

        var read = Events.read(records.denied(Events.denied(uri, uri, "no such thing"), Events.TIME));

        assertThat(read.text("tool").orElseThrow())
                .startsWith(uri.substring(0, 4_096) + "… (cut from 65008 characters, ")
                .hasSizeLessThan(4_300);
        assertThat(read.text("clientId")).isEqualTo(read.text("tool"));
    }

    @Test
    void secretTruncatedInANameIsNotShown() {
        for (int before = 4_070; before < 4_100; before++) {
            var message = "x".repeat(before) + "AKIA" + "SECRETSECRETSECRET".substring(0, 16) + " ".repeat(9_000);

            var line = Events.line(Events.ended(records, Events.failed(message)));

            assertThat(line).doesNotContain("SECR");
        }
    }

    @Test
    void noteWithManyDetailsIsWritten() {
        var details = IntStream.range(0, 100)
                .boxed()
                .collect(Collectors.toMap(each -> "key" + each, each -> "x".repeat(100)));

        var read = Events.read(records.note(new io.mcpbridge.spi.AuditSink.AuditNote("many", details), Events.TIME));

        assertThat((Map<?, ?>) read.data().get("details")).hasSize(100);
    }
}

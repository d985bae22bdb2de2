package io.mcpbridge.audit.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.audit.record.AuditRecords.LevelRules;
import io.mcpbridge.audit.redact.RedactionSettings;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the configuration says of records, and what becomes of it. */
class LevelRulesTest {

    @Test
    void defaultLevelIsMetadata() {
        assertThat(RecordSettings.from(Settings.of(Map.of()))).isEqualTo(RecordSettings.DEFAULTS);
        assertThat(RecordSettings.DEFAULTS.level()).isEqualTo(RecordSettings.Level.METADATA);
    }

    @Test
    void everyKeyIsRead() {
        var settings = Settings.parse("""
            {"level": "arguments",
             "levels": {"github.*": "metadata", "*.delete_*": "arguments+result"},
             "redact": {"keys": ["x-*"], "values": false, "open-world-results": true, "key": "k"}}\
            """);

        var read = RecordSettings.from(settings);

        assertThat(settings.finish(() -> read))
                .isEqualTo(new RecordSettings(
                        RecordSettings.Level.ARGUMENTS,
                        Map.of("github.*", RecordSettings.Level.METADATA, "*.delete_*", RecordSettings.Level.RESULT),
                        new RedactionSettings(List.of("x-*"), false, true, "k")));
    }

    @Test
    void mistakesAreReportedTogether() {
        var settings = Settings.parse("""
            {"level": "all",
             "levels": {"github.*": "result"},
             "redact": {"kys": []}}\
            """);

        assertThatThrownBy(() -> {
                    var read = RecordSettings.from(settings);
                    var unused = settings.finish(() -> read);
                })
                .hasMessageContaining("'level' is 'all' but must be 'metadata', 'arguments' or 'arguments+result'")
                .hasMessageContaining("'levels.github.*' is 'result' but must be")
                .hasMessageContaining("'redact.kys' is not a key here; did you mean 'keys'?");
    }

    @Test
    void longestPatternWinsAndTiesChooseTheLowerLevel() {
        var levels = new LevelRules(new RecordSettings(
                RecordSettings.Level.METADATA,
                Map.of(
                        "*", RecordSettings.Level.ARGUMENTS,
                        "github.*", RecordSettings.Level.RESULT,
                        "*.delete_*", RecordSettings.Level.ARGUMENTS,
                        "a.bc*", RecordSettings.Level.RESULT,
                        "a.*cd", RecordSettings.Level.METADATA),
                RedactionSettings.DEFAULTS));

        assertThat(levels.of(call("files", "read"))).isEqualTo(RecordSettings.Level.ARGUMENTS);
        assertThat(levels.of(call("github", "get_issue"))).isEqualTo(RecordSettings.Level.RESULT);
        assertThat(levels.of(call("github", "delete_repo"))).isEqualTo(RecordSettings.Level.ARGUMENTS);
        assertThat(levels.of(call("a", "bcd"))).isEqualTo(RecordSettings.Level.METADATA);
    }

    @Test
    void argumentsAndResultsAreShownAtTheirLevelOnly() {
        for (var level : RecordSettings.Level.values()) {
            var records = TestRecords.at(level);

            var enter = Events.read(records.enter(Events.enter("{\"a\":1}"), Events.TIME));
            var exit = Events.read(Events.ended(records, Events.answered("{\"content\":[]}")));

            assertThat(enter.text("level")).contains(level.word());
            assertThat(enter.text("arguments").isPresent()).isEqualTo(level != RecordSettings.Level.METADATA);
            assertThat(exit.text("result").isPresent()).isEqualTo(level == RecordSettings.Level.RESULT);
            assertThat(enter.text("argumentsHash"))
                    .contains(TestRecords.KEY.hash().of("{\"a\":1}"));
            assertThat(exit.text("resultHash")).contains(TestRecords.KEY.hash().of("{\"content\":[]}"));
        }
    }

    @Test
    void errorMessageIsShownAtItsLevelOnly() {
        for (var level : RecordSettings.Level.values()) {
            var exit = Events.read(Events.ended(TestRecords.at(level), Events.failed("no reply from 'ex\u00e4mple'")));

            assertThat(exit.text("error").isPresent()).isEqualTo(level != RecordSettings.Level.METADATA);
            assertThat(exit.text("reason")).contains("provider_timeout");
            assertThat(exit.text("errorHash")).contains(TestRecords.KEY.hash().of("no reply from 'ex\u00e4mple'"));
            assertThat(exit.number("errorSize")).contains(24L);
        }
    }

    @Test
    void resultsOfOpenWorldToolsAreNotShown() {
        var records = TestRecords.at(RecordSettings.Level.RESULT);
        var open = "{\"name\":\"fetch\",\"annotations\":{\"openWorldHint\":true}}";

        for (var definition : List.of(open, "{\"name\":\"fetch\"}", "", "no JSON")) {
            var exit = Events.read(Events.ended(records, Events.answered(Events.call(definition), "{}")));

            assertThat(exit.text("result")).as(definition).isEmpty();
            assertThat(exit.number("resultSize")).contains(2L);
        }
    }

    @Test
    void resultsOfOpenWorldToolsAreShownIfConfigured() {
        var redaction = new RedactionSettings(List.of(), true, true, "");
        var records = TestRecords.make(new RecordSettings(RecordSettings.Level.RESULT, Map.of(), redaction));

        var exit = Events.read(Events.ended(records, Events.answered(Events.call(""), "{}")));

        assertThat(exit.text("result")).contains("{}");
    }

    private static AuditedCall call(String server, String tool) {
        return AuditedCallFixture.of("tools/call", server, tool, "");
    }
}

package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolHints.Source;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolSettingsTest {
    private static final ToolHints SAID = new ToolHints(true, false, true, false, Source.SERVER);

    @Test
    void toolWithoutASectionInheritsTheServerSettings() {
        var tool = tool("{\"timeout\": \"7s\", \"max-retries\": 5}");

        assertThat(tool.timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(tool.retry()).isEqualTo(new RetrySettings("", 5, Duration.ofSeconds(1), 2));
        assertThat(tool.hints(SAID)).isEqualTo(SAID);
    }

    @Test
    void everyKeyIsRead() {
        var tool = tool("""
            {"timeout": "7s", "retry": "safe", "tools": {"get_issue": {
              "read-only": true, "destructive": false, "idempotent": true, "open-world": false, "timeout": "5s",
              "retry": "none", "max-retries": 0, "retry-delay": "10ms", "backoff-multiplier": 1.5}}}\
            """);

        assertThat(tool.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(tool.retry()).isEqualTo(new RetrySettings("none", 0, Duration.ofMillis(10), 1.5));
        assertThat(tool.hints(ToolHints.UNDECLARED))
                .isEqualTo(new ToolHints(true, false, true, false, Source.OPERATOR));
    }

    @Test
    void wrongAliasesAreRejected() {
        var problems = Refused.problems(() -> BridgeConfiguration.parse("""
                {"mcpServers": {
                  "a": {"command": "x", "alias": "b"},
                  "b": {"command": "x"},
                  "c": {"command": "x", "alias": "d__e"},
                  "f": {"command": "x", "tools": {"g": {"alias": "h i"}}},
                  "j": {"command": "x", "tools": {"k": {"alias": "m"}, "l": {"alias": "m"}}}
                }}\
                """, Path.of("."), Map.of()));

        assertThat(problems)
                .hasSize(4)
                .anySatisfy(problem -> assertThat(problem)
                        .contains("'b'", "line 3", "another 'alias', since clients would see server 'a' as 'b' too"))
                .anySatisfy(problem -> assertThat(problem).contains("alias", "d__e", "line 4"))
                .anySatisfy(problem -> assertThat(problem).contains("alias", "h i", "line 5"))
                .anySatisfy(problem -> assertThat(problem).contains("'k' and 'l' have the alias 'm'", "line 6"));
    }

    @Test
    void absentToolKeysInheritTheServerSettings() {
        var tool = tool("""
            {"timeoutMs": 7000, "retry": "safe", "retryDelayMs": 5, "tools": {"get_issue": {"maxRetries": 1}}}\
            """);

        assertThat(tool.timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(tool.retry()).isEqualTo(new RetrySettings("safe", 1, Duration.ofMillis(5), 2));
        assertThat(tool.hints(SAID)).isEqualTo(SAID);
    }

    @Test
    void hintsOfTheOperatorAreNotCombinedWithUntrustedHints() {
        var tool = tool("{\"tools\": {\"get_issue\": {\"destructive\": false}}}");

        assertThat(tool.hints(SAID)).isEqualTo(new ToolHints(false, false, false, true, Source.OPERATOR));
        assertThat(tool.hints(SAID.asTrusted())).isEqualTo(new ToolHints(true, false, true, false, Source.OPERATOR));
    }

    @Test
    void hintsOfTheOperatorAreTrusted() {
        var hints = tool("{\"tools\": {\"get_issue\": {\"idempotent\": true}}}").hints(SAID);

        assertThat(hints.believed()).isEqualTo(hints);
        assertThat(hints.allowsRepeating()).isTrue();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "read-only   | 'yes' | is 'yes' but must be true or false",
                "timeout     | '0s'  | is '0s' but must be longer than zero",
                "max-retries | 101   | is 101 but must be between 0 and 100",
            },
            quoteCharacter = '"')
    void wrongValueIsRejected(String key, String value, String rule) {
        var json = "{\"tools\": {\"get_issue\": {\"%s\": %s}}}".formatted(key, value.replace('\'', '"'));

        assertThat(Refused.problems(() -> tool(json)))
                .containsExactly("line 1: 'tools.get_issue.%s' %s".formatted(key, rule));
    }

    @Test
    void unknownKeyAndMistakesOfTheServerAreReportedTogether() {
        var problems = Refused.problems(
                () -> tool("{\"timeout\": 1, \"tools\": {\"get_issue\": {\"readonly\": true}, \"b\": 1}}"));

        assertThat(problems)
                .hasSize(3)
                .anyMatch(problem -> problem.contains("'tools.get_issue.readonly'") && problem.contains("read-only"));
    }

    private static ToolSettings tool(String server) {
        return ServerSettings.of("github", "http", Settings.parse(server)).tool("get_issue");
    }

    @Test
    void readOnlyToolCannotBeDeclaredDestructive() {
        var server = Settings.parse("{\"tools\": {\"get\": {\"read-only\": true, \"destructive\": true}}}");

        assertThat(Refused.problems(() -> ServerSettings.of("a", "http", server)))
                .containsExactly(
                        "line 1: 'tools.get.destructive' is true but must be false or left out where 'read-only'"
                                + " is true");
    }
}

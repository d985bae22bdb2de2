package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ConfigurationException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void mistakesAreReportedTogether() {
        var settings = Settings.parse("{\n\"count\": \"many\",\n\"colour\": \"red\"}");
        settings.integer("count", 1);
        settings.requiredText("name");

        assertThatThrownBy(() -> settings.finish(() -> "never made"))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        wrong -> assertThat(wrong.problems())
                                .containsExactly(
                                        "line 2: 'count' is 'many' but must be a whole number",
                                        "'name' is missing",
                                        "line 3: 'colour' is not a key here; known are [count, name]"));
    }

    @Test
    void mistakesOfARecordNameTheSection() {
        var section = Settings.parse("{\"outer\": {}}").section("outer");

        assertThatThrownBy(() -> section.finish(() -> {
                    throw ConfigurationException.of("'a' must not be like 'b'");
                }))
                .hasMessage("line 1: in 'outer': 'a' must not be like 'b'");
    }

    @Test
    void sectionsKeepTheirOrderAndLines() {
        var sections =
                Settings.parse("{\"all\": {\"b\": {},\n \"a\": {\"x\": 1}}}").sections("all");

        assertThat(sections.keySet()).containsExactly("b", "a");
        assertThat(sections.get("a"))
                .satisfies(
                        a -> assertThat(a.unknownKeyWarnings()).allMatch(each -> each.startsWith("line 2: 'all.a.x'")));
    }

    @Nested
    class TwoNames {

        @Test
        void presentKeyOfTwoIsUsed() {
            assertThat(Settings.of(Map.of("longName", 1)).either("long-name", "longName"))
                    .isEqualTo("longName");
            assertThat(Settings.of(Map.of("long-name", 1, "longName", 2)).either("long-name", "longName"))
                    .isEqualTo("long-name");
            assertThat(Settings.of(Map.of()).either("long-name", "longName")).isEqualTo("long-name");
        }

        @Test
        void bothKeysAreKnown() {
            var settings = Settings.of(Map.of("long-name", 1, "longName", 2));
            settings.either("long-name", "longName");

            assertThat(settings.unknownKeys()).isEmpty();
        }
    }

    @Nested
    class Compared {

        @Test
        void sectionsWithTheSameValuesAreEqual() {
            var one = Settings.parse("{\"a\": {\"b\": [1, \"x\"]}, \"c\": true}");
            var other = Settings.parse("{\n\n\"c\": true,\n\"a\": {\"b\": [\n1, \"x\"]}}");

            assertThat(one.saysTheSameAs(other)).isTrue();
        }

        @Test
        void sectionsWithOtherValuesDiffer() {
            var one = Settings.parse("{\"a\": {\"b\": [1]}}");

            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [2]}}")))
                    .isFalse();
            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [1, 1]}}")))
                    .isFalse();
            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [1]}, \"c\": 1}")))
                    .isFalse();
        }

        @Test
        void digestIsOfTheContentWithoutTextsThatWereFilledIn() {
            UnaryOperator<String> filling = text -> text.equals("${K}") ? "secret" : text;
            var one = Settings.parse("{\"a\": \"x\", \"e\": {\"k\": \"${K}\"}, \"n\": [1]}", filling);

            assertThat(one.digest())
                    .hasSize(64)
                    .isEqualTo(Settings.parse(
                                    "{\"n\": [1],\n\"e\": {\"k\": \"${K}\"}, \"a\": \"x\"}",
                                    text -> text.replace("${K}", "other"))
                            .digest())
                    .isNotEqualTo(Settings.parse("{\"a\": \"y\", \"e\": {\"k\": \"${K}\"}, \"n\": [1]}", filling)
                            .digest())
                    .isNotEqualTo(Settings.parse("{\"a\": \"x\", \"e\": {}, \"n\": [1]}", filling)
                            .digest());
        }

        @Test
        void copyWithOtherValuesKeepsTheRest() {
            var section = Settings.parse("{\"port\": 1, \"tokens\": {\"a\": \"b\"}}");

            var changed = section.with(Map.of("port", 2, "host", "::1"));

            assertThat(changed.integer("port", 0)).isEqualTo(2);
            assertThat(changed.text("host")).contains("::1");
            assertThat(changed.textsByName("tokens")).containsEntry("a", "b");
            assertThat(section.integer("port", 0)).isEqualTo(1);
        }
    }

    @Nested
    class Filled {

        @Test
        void textsAreReplacedAtAnyDepthAndKeysAreNot() {
            var settings = Settings.parse("{\"a\": [\"b\"], \"c\": {\"d\": \"e\"}, \"n\": 1}", Filled::upperCase);

            assertThat(settings.texts("a")).isEqualTo(List.of("B"));
            assertThat(settings.section("c").text("d")).contains("E");
            assertThat(settings.integer("n", 0)).isEqualTo(1);
        }

        @Test
        void replacedTextIsNotQuotedInAMistake() {
            var settings = Settings.parse("{\"a\": \"secret\", \"b\": \"PLAIN\"}", Filled::upperCase);
            settings.integer("a", 1);
            settings.integer("b", 1);

            assertThatThrownBy(() -> settings.finish(() -> "never made"))
                    .hasMessageContaining("'a' is a text that was filled in but must be a whole number")
                    .hasMessageContaining("'b' is 'PLAIN' but must be a whole number")
                    .hasMessageNotContaining("SECRET");
        }

        private static String upperCase(String text) {
            return text.toUpperCase(Locale.ROOT);
        }
    }

    @Nested
    class Refused {

        @Test
        void rejectionByARecordIsReportedWithLineAndPath() {
            var section = Settings.parse("{\"bridge\": {\n\"limits\": {\n\"max\": 0}}}")
                    .section("bridge")
                    .section("limits");

            assertThat(problems(section, "max", 0))
                    .containsExactly("line 3: 'bridge.limits.max' is 0 but must be at least 1");
        }

        @Test
        void absentKeyHasTheLineOfItsSection() {
            var section = Settings.parse("{\n\"limits\": {}}").section("limits");

            assertThat(problems(section, "max", 0)).containsExactly("line 2: 'limits.max' is 0 but must be at least 1");
        }

        @Test
        void alternativeKeyIsNamedInItsError() {
            var section = Settings.parse("{\"pauseMs\": 0}");
            var pause = section.duration("pause", "pauseMs", Duration.ofSeconds(1));

            assertThat(problems(section, "pause", pause))
                    .containsExactly("line 1: 'pauseMs' is 0s but must be at least 1");
        }

        @Test
        void valueIsQuotedFromTheRejectionAndNotFromTheDocument() {
            var section = Settings.parse("{\"url\": \"http://u:geheim@a.example/?key=geheim\"}");
            var url = URI.create(section.requiredText("url"));

            assertThat(problems(section, "url", url))
                    .containsExactly("line 1: 'url' is 'http://***@a.example/?***' but must be at least 1");
        }

        @Test
        void textOfTheWrongTypeShowsNoPassword() {
            var section = Settings.parse("{\"url\": \"http://u:geheim@a.example/\"}");
            section.reject("url", "another one");
            section.integer("url", 0);

            assertThatThrownBy(() -> section.finish(() -> "")).hasMessageNotContaining("geheim");
        }

        @Test
        void replacedTextIsNotQuotedFromARejection() {
            var section = Settings.parse("{\"path\": \"p\"}", text -> "s3cret");

            assertThat(problems(section, "path", section.requiredText("path")))
                    .containsExactly("line 1: 'path' is a text that was filled in but must be at least 1");
        }

        @Test
        void otherKeysAreValidatedIfOneCannotBeRead() {
            var section = Settings.parse("{\"max\": \"many\", \"queue\": -1}");
            int max = section.integer("max", 0);
            int queue = section.integer("queue", 1);

            assertThat(problemsOf(() -> section.finish(() -> {
                        new MistakeCollector()
                                .unless(max > 0, "max", max, "at least 1")
                                .unless(queue > 0, "queue", queue, "at least 1")
                                .throwIfAny();
                        return max;
                    })))
                    .containsExactly(
                            "line 1: 'max' is 'many' but must be a whole number",
                            "line 1: 'queue' is -1 but must be at least 1");
        }

        @Test
        void makerFailureDoesNotHideTheMistake() {
            var section = Settings.parse("{\"max\": \"many\"}");
            int max = section.integer("max", 0);

            assertThat(problemsOf(() -> section.finish(() -> 1 / max)))
                    .containsExactly("line 1: 'max' is 'many' but must be a whole number");
        }

        private static List<String> problems(Settings section, String key, Object value) {
            section.ignore(key);
            return problemsOf(() -> section.finish(() -> {
                new MistakeCollector().unless(false, key, value, "at least 1").throwIfAny();
                return value;
            }));
        }

        private static List<String> problemsOf(ThrowingCallable reading) {
            return catchThrowableOfType(ConfigurationException.class, reading).problems();
        }
    }
}

package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void mistakesAreToldTogether() {
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
    void mistakesOfTheRecordNameTheSection() {
        var section = Settings.parse("{\"outer\": {}}").section("outer");

        assertThatThrownBy(() -> section.finish(() -> {
                    throw ConfigurationException.of("'a' must not be like 'b'");
                }))
                .hasMessage("in 'outer': 'a' must not be like 'b'");
    }

    @Test
    void sectionsKeepTheirOrderAndTheirLines() {
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
        void nameThatStandsThereIsTaken() {
            assertThat(Settings.of(Map.of("longName", 1)).either("long-name", "longName"))
                    .isEqualTo("longName");
            assertThat(Settings.of(Map.of("long-name", 1, "longName", 2)).either("long-name", "longName"))
                    .isEqualTo("long-name");
            assertThat(Settings.of(Map.of()).either("long-name", "longName")).isEqualTo("long-name");
        }

        @Test
        void bothAreKnown() {
            var settings = Settings.of(Map.of("long-name", 1, "longName", 2));
            settings.either("long-name", "longName");

            assertThat(settings.unknownKeys()).isEmpty();
        }
    }

    @Nested
    class Compared {

        @Test
        void sameValuesOnOtherLinesAreTheSame() {
            var one = Settings.parse("{\"a\": {\"b\": [1, \"x\"]}, \"c\": true}");
            var other = Settings.parse("{\n\n\"c\": true,\n\"a\": {\"b\": [\n1, \"x\"]}}");

            assertThat(one.saysTheSameAs(other)).isTrue();
        }

        @Test
        void otherValuesAreNot() {
            var one = Settings.parse("{\"a\": {\"b\": [1]}}");

            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [2]}}")))
                    .isFalse();
            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [1, 1]}}")))
                    .isFalse();
            assertThat(one.saysTheSameAs(Settings.parse("{\"a\": {\"b\": [1]}, \"c\": 1}")))
                    .isFalse();
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
        void textsAreFilledInAtAnyDepthAndKeysAreNot() {
            var settings = Settings.parse("{\"a\": [\"b\"], \"c\": {\"d\": \"e\"}, \"n\": 1}", Filled::upperCase);

            assertThat(settings.texts("a")).isEqualTo(List.of("B"));
            assertThat(settings.section("c").text("d")).contains("E");
            assertThat(settings.integer("n", 0)).isEqualTo(1);
        }

        @Test
        void filledInTextIsNotQuotedInAMistake() {
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
}

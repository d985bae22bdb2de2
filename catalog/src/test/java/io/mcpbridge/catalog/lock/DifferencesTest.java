package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DifferencesTest {

    @Test
    void eachFieldIsShownWithItsPlace() {
        var lines = Differences.between(
                CanonicalJson.read("{\"description\":\"old\",\"kept\":1,\"gone\":[1],\"in\":{\"list\":[1,{\"a\":2}]}}"),
                CanonicalJson.read("{\"description\":\"new\",\"kept\":1,\"more\":{},\"in\":{\"list\":[1,{\"a\":3}]}}"));

        assertThat(lines)
                .containsExactly(
                        "- /description: \"old\"",
                        "+ /description: \"new\"",
                        "- /gone: [1]",
                        "- /in/list/1/a: 2",
                        "+ /in/list/1/a: 3",
                        "+ /more: {}");
    }

    @Test
    void listOfAnotherLengthIsShownWhole() {
        assertThat(Differences.between(CanonicalJson.read("{\"a\":[1]}"), CanonicalJson.read("{\"a\":[1,2]}")))
                .containsExactly("- /a: [1]", "+ /a: [1,2]");
    }

    @Test
    void nothingDiffersWhereOnlyTheWritingDoes() {
        assertThat(Differences.between(
                        CanonicalJson.read("{\"a\":1,\"b\":2}"), CanonicalJson.read("{\"b\":2.0,\"a\":1}")))
                .isEmpty();
    }

    @Test
    void nullIsNotTheSameAsNothing() {
        assertThat(Differences.between(CanonicalJson.read("{\"a\":null}"), CanonicalJson.read("{}")))
                .containsExactly("- /a: null");
    }

    @Test
    void longValueIsCutAndSaysSo() {
        assertThat(Differences.between(Map.of(), Map.of("a", "x".repeat(3_000))))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("… (1002 characters more)");
    }

    @Test
    void hiddenCharactersAreShownEscaped() {
        assertThat(Differences.between(Map.of(), Map.of("a", "\u202e"))).containsExactly("+ /a: \"\\u202e\"");
    }
}

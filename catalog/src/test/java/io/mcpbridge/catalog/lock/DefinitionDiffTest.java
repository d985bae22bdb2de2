package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionDiffTest {

    @Test
    void eachFieldIsShownWithItsPath() {
        var lines = DefinitionDiff.between(
                Pin.parse("{\"description\":\"old\",\"kept\":1,\"gone\":[1],\"in\":{\"list\":[1,{\"a\":2}]}}"),
                Pin.parse("{\"description\":\"new\",\"kept\":1,\"more\":{},\"in\":{\"list\":[1,{\"a\":3}]}}"));

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
        assertThat(DefinitionDiff.between(Pin.parse("{\"a\":[1]}"), Pin.parse("{\"a\":[1,2]}")))
                .containsExactly("- /a: [1]", "+ /a: [1,2]");
    }

    @Test
    void notationIsNotADifference() {
        assertThat(DefinitionDiff.between(Pin.parse("{\"a\":1,\"b\":2}"), Pin.parse("{\"b\":2.0,\"a\":1}")))
                .isEmpty();
    }

    @Test
    void nullDiffersFromAbsent() {
        assertThat(DefinitionDiff.between(Pin.parse("{\"a\":null}"), Pin.parse("{}")))
                .containsExactly("- /a: null");
    }

    @Test
    void longValueIsTruncatedWithANote() {
        assertThat(DefinitionDiff.between(Map.of(), Map.of("a", "x".repeat(3_000))))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("… (1002 characters more)");
    }

    @Test
    void hiddenCharactersAreShownEscaped() {
        assertThat(DefinitionDiff.between(Map.of(), Map.of("a", "\u202e"))).containsExactly("+ /a: \"\\u202e\"");
    }
}

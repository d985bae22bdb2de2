package io.mcpbridge.spi;

import io.mcpbridge.internal.json.JsonNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The texts of a section that were filled in from elsewhere and may be secrets, wherever in it they stand. Immutable. */
final class Fillings {
    private static final String HIDDEN = "***";

    /** A shorter text is looked for only in quotes, since it may be a part of any word. */
    private static final int TELLING = 8;

    private final List<String> texts;

    private Fillings(List<String> texts) {
        this.texts = texts;
    }

    static Fillings of(Collection<JsonNode> nodes) {
        return new Fillings(nodes.stream()
                .flatMap(Fillings::filledIn)
                .flatMap(text -> Stream.of(text, Secret.hiddenIn(text)))
                .filter(text -> !text.isEmpty() && !text.equals(HIDDEN))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    private static Stream<String> filledIn(JsonNode node) {
        if (node.filledIn()) {
            return Stream.of(String.valueOf(node.value()));
        }
        return Stream.concat(node.elements().stream(), node.members().values().stream())
                .flatMap(Fillings::filledIn);
    }

    /** The words of a message with all of them hidden. */
    String hiddenIn(String words) {
        var shown = words;
        for (var text : texts) {
            shown = shown.replace("'" + text + "'", "'" + HIDDEN + "'");
            shown = text.length() < TELLING ? shown : shown.replace(text, HIDDEN);
        }
        return shown;
    }
}

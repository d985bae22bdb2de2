package io.mcpbridge.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the blocks that results are made of; what is not as the specification says is left out. */
final class Blocks {

    private Blocks() {}

    static Stream<Map<?, ?>> objects(@Nullable Object list) {
        if (!(list instanceof List<?> elements)) {
            return Stream.of();
        }
        return elements.stream().filter(Map.class::isInstance).map(each -> (Map<?, ?>) each);
    }

    /** The blocks of content in a list. */
    static List<Content> contents(@Nullable Object list) {
        if (!(list instanceof List<?> elements)) {
            return List.of();
        }
        var contents = new ArrayList<Content>(elements.size());
        for (var each : elements) {
            if (each instanceof Map<?, ?> members) {
                contents.add(content(members));
            }
        }
        return Collections.unmodifiableList(contents);
    }

    static Content content(Map<?, ?> members) {
        var type = String.valueOf(members.get("type"));
        return switch (type) {
            case "text" -> new Content.Text(String.valueOf(members.get("text")));
            case "image" -> new Content.Image(word(members, "data"), word(members, "mimeType"));
            case "audio" -> new Content.Audio(word(members, "data"), word(members, "mimeType"));
            default -> new Content.Other(type, named(members));
        };
    }

    static String word(Map<?, ?> members, String key) {
        return members.get(key) instanceof String text ? text : "";
    }

    private static Map<String, Object> named(Map<?, ?> members) {
        var named = new LinkedHashMap<String, Object>();
        members.forEach((key, value) -> {
            if (value != null) {
                named.put(String.valueOf(key), value);
            }
        });
        return Collections.unmodifiableMap(named);
    }
}

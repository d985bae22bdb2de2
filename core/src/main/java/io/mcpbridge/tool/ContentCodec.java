package io.mcpbridge.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes the content blocks of results. Skips blocks that the specification does not allow. */
final class ContentCodec {

    private ContentCodec() {}

    static Stream<Map<?, ?>> objects(@Nullable Object list) {
        if (!(list instanceof List<?> elements)) {
            return Stream.of();
        }
        return elements.stream().filter(Map.class::isInstance).map(each -> (Map<?, ?>) each);
    }

    /** The content blocks in a list. */
    static List<Content> contents(@Nullable Object list) {
        var contents = new ArrayList<Content>();
        if (list instanceof List<?> elements) {
            for (var element : elements) {
                if (element instanceof Map<?, ?> members) {
                    contents.add(content(members));
                }
            }
        }
        return List.copyOf(contents);
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

    /** The members of a block in the form of the specification. */
    static Map<String, Object> members(Content block) {
        if (block instanceof Content.Text text) {
            return ordered("type", text.type(), "text", text.text());
        }
        if (block instanceof Content.Image image) {
            return ordered("type", image.type(), "data", image.data(), "mimeType", image.mimeType());
        }
        if (block instanceof Content.Audio audio) {
            return ordered("type", audio.type(), "data", audio.data(), "mimeType", audio.mimeType());
        }
        return ((Content.Other) block).members();
    }

    /** Members in this order. */
    static Map<String, Object> ordered(String... keysAndValues) {
        var members = new LinkedHashMap<String, Object>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            members.put(keysAndValues[at], keysAndValues[at + 1]);
        }
        return members;
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

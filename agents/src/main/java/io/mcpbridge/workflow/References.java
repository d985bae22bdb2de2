package io.mcpbridge.workflow;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * References in the values of a workflow, such as {@code ${steps.issue.structuredContent.title}}. A text that is exactly
 * a reference stands for the value that it points to; there are no references within texts. Pure.
 */
final class References {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^{}]*)}");
    private static final Pattern WITHIN = Pattern.compile("(?<!\\$)\\$\\{");
    private static final Pattern INDEX = Pattern.compile("0|[1-9][0-9]{0,8}");

    private References() {}

    /** The path of a value that is a reference; empty for other values. */
    static Optional<List<String>> path(@Nullable Object value) {
        var matcher = REFERENCE.matcher(value instanceof String text ? text : "");
        return matcher.matches() ? Optional.of(segments(matcher.group(1))) : Optional.empty();
    }

    /** Members divided by dots, or a JSON pointer for names that have dots. */
    private static List<String> segments(String path) {
        if (!path.startsWith("/")) {
            return List.of(path.split("\\.", -1));
        }
        return Stream.of(path.substring(1).split("/", -1))
                .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    /** Passes the path of each reference in a tree of values to {@code found}. */
    static void scan(@Nullable Object tree, Consumer<List<String>> found, Consumer<String> mistakes) {
        if (tree instanceof Map<?, ?> members) {
            members.values().forEach(member -> scan(member, found, mistakes));
        } else if (tree instanceof List<?> elements) {
            elements.forEach(element -> scan(element, found, mistakes));
        } else if (tree instanceof String text) {
            path(text).ifPresentOrElse(found, () -> {
                if (WITHIN.matcher(text).find()) {
                    mistakes.accept(
                            "'%s' has '${' within a text, but a reference must be the whole value; write '$${' for the characters"
                                    .formatted(text));
                }
            });
        }
    }

    /**
     * Copies a tree of values with each reference replaced by the value that it points to.
     *
     * @throws CallException if a reference points to nothing
     */
    static @Nullable Object resolve(@Nullable Object tree, Map<String, ?> scope) {
        return map(tree, path -> find(path, scope));
    }

    /** Does the same; a reference that points to nothing becomes null. */
    static @Nullable Object resolveOrNull(@Nullable Object tree, Map<String, ?> scope) {
        return map(tree, path -> {
            try {
                return find(path, scope);
            } catch (CallException nothing) {
                return null;
            }
        });
    }

    /** The members of a value that is an object; none if it is not. */
    @SuppressWarnings("unchecked")
    static Map<String, @Nullable Object> members(@Nullable Object tree) {
        return tree instanceof Map<?, ?> members ? (Map<String, @Nullable Object>) members : Map.of();
    }

    private static @Nullable Object map(@Nullable Object tree, Function<List<String>, @Nullable Object> value) {
        if (tree instanceof Map<?, ?> members) {
            var copy = new LinkedHashMap<String, @Nullable Object>();
            members.forEach((name, member) -> copy.put(String.valueOf(name), map(member, value)));
            return copy;
        }
        if (tree instanceof List<?> elements) {
            var copy = new ArrayList<@Nullable Object>();
            elements.forEach(element -> copy.add(map(element, value)));
            return copy;
        }
        if (!(tree instanceof String text)) {
            return tree;
        }
        var path = path(text);
        return path.isPresent() ? value.apply(path.get()) : text.replace("$${", "${");
    }

    private static @Nullable Object find(List<String> path, Map<String, ?> scope) {
        Object current = scope;
        for (int i = 0; i < path.size(); i++) {
            var segment = path.get(i);
            if (current instanceof Map<?, ?> members && members.containsKey(segment)) {
                current = members.get(segment);
            } else if (current instanceof List<?> elements
                    && INDEX.matcher(segment).matches()
                    && Integer.parseInt(segment) < elements.size()) {
                current = elements.get(Integer.parseInt(segment));
            } else {
                throw nothing(path, i, current);
            }
        }
        return current;
    }

    private static CallException nothing(List<String> path, int depth, @Nullable Object parent) {
        var names = parent instanceof Map<?, ?> members
                ? members.keySet().stream().map(String::valueOf).toList()
                : List.<String>of();
        var message = "the reference '${%s}' points to nothing: '%s' has no '%s'; %scheck it against a result"
                .formatted(
                        String.join(".", path),
                        String.join(".", path.subList(0, depth)),
                        path.get(depth),
                        Nearest.question(path.get(depth), names));
        return CallException.of(Failure.of(ErrorCode.INVALID_PARAMS, message));
    }
}

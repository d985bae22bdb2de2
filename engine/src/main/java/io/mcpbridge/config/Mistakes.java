package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Collects mistakes, to report all of them in the order of their lines. For one thread. */
final class Mistakes {
    private static final Pattern LINE = Pattern.compile("line (\\d{1,9}):");

    private final List<String> problems = new ArrayList<>();

    void addAll(List<String> others) {
        others.stream().filter(problem -> !problems.contains(problem)).forEach(problems::add);
    }

    /** The result of {@code maker}; empty if it throws mistakes, which are kept. */
    <T> Optional<T> collect(Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (ConfigurationException wrong) {
            addAll(wrong.problems());
            return Optional.empty();
        }
    }

    void throwIfAny() {
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparingInt(Mistakes::line));
            throw ConfigurationException.ofAll(problems);
        }
    }

    private static int line(String problem) {
        var parts = LINE.matcher(problem);
        return parts.lookingAt() ? Integer.parseInt(parts.group(1)) : 0;
    }
}

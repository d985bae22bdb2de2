package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Collects the mistakes in settings, to report all of them together. The mistakes are those of a configuration and
 * those in the values of a settings record, in one form: {@code 'max' is 0 but must be at least 1}. For one thread.
 *
 * <p>{@link Settings#finish} adds the line and the path of the key.
 */
public final class MistakeCollector {
    private static final Pattern LINE = Pattern.compile("line (\\d{1,9}):");

    private final Set<String> problems = new LinkedHashSet<>();

    /** Rejects a value unless {@code holds}; {@code rule} completes "must be …". */
    public MistakeCollector unless(boolean holds, String key, Object value, String rule) {
        return holds ? this : add("'%s' is %s but must be %s".formatted(key, shown(value), rule));
    }

    /** Adds a mistake of another kind; {@code problem} begins with the key in quotes. */
    public MistakeCollector add(String problem) {
        problems.add(problem);
        return this;
    }

    /** The result of {@code maker}; empty if it throws a {@link ConfigurationException}, whose mistakes are kept. */
    public <T> Optional<T> collect(Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
            return Optional.empty();
        }
    }

    /** Runs {@code check} and keeps the mistakes of a {@link ConfigurationException} that it throws. */
    public void check(Runnable check) {
        var unused = collect(() -> {
            check.run();
            return true;
        });
    }

    /**
     * Ends the checking.
     *
     * @throws ConfigurationException with all mistakes, in the order of the lines that they name
     */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems.stream()
                    .sorted(Comparator.comparingInt(MistakeCollector::line))
                    .toList());
        }
    }

    private static int line(String problem) {
        var parts = LINE.matcher(problem);
        return parts.lookingAt() ? Integer.parseInt(parts.group(1)) : 0;
    }

    /** A value as it would be written in a file; parts of a text that may be secret are hidden. */
    public static String shown(Object value) {
        if (value instanceof Duration span) {
            return span(span);
        }
        var isPlain = value instanceof Number || value instanceof Boolean;
        return isPlain ? value.toString() : "'" + Secret.hiddenIn(value.toString()) + "'";
    }

    private static String span(Duration span) {
        if (span.toNanosPart() % 1_000_000 != 0) {
            return span.toNanos() + "ns";
        }
        if (span.toMillisPart() != 0) {
            return span.toMillis() + "ms";
        }
        var seconds = span.toSeconds();
        if (seconds % 60 != 0 || Math.abs(seconds) <= 90) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? span.toHours() + "h" : span.toMinutes() + "m";
    }
}

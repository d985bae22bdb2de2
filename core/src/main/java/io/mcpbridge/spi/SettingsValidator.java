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
 * Collects mistakes, to report all of them together: those of a configuration, and what a settings record refuses of the
 * values that it is made of, in the same words everywhere: {@code 'max' is 0 but must be at least 1}. For one thread.
 *
 * <p>{@link Settings#finish} adds where the key stands.
 */
public final class SettingsValidator {
    private static final Pattern LINE = Pattern.compile("line (\\d{1,9}):");

    private final Set<String> problems = new LinkedHashSet<>();

    /** Refuses a value unless {@code holds}; {@code rule} completes "must be …". */
    public SettingsValidator unless(boolean holds, String key, Object value, String rule) {
        return holds ? this : add("'%s' is %s but must be %s".formatted(key, shown(value), rule));
    }

    /** Refuses something for another reason, which begins with the key in quotes. */
    public SettingsValidator add(String problem) {
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
     * @throws ConfigurationException with everything refused, in the order of the lines that it names
     */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems.stream()
                    .sorted(Comparator.comparingInt(SettingsValidator::line))
                    .toList());
        }
    }

    private static int line(String problem) {
        var parts = LINE.matcher(problem);
        return parts.lookingAt() ? Integer.parseInt(parts.group(1)) : 0;
    }

    /** A value as it would be written in a file; of a text, what may be secret is hidden. */
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

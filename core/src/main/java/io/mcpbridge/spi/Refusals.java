package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a settings record refuses of the values that it is made of, all of it together and in the same words everywhere:
 * {@code 'max' is 0 but must be at least 1}. For one thread.
 *
 * <p>{@link Settings#finish} adds where the key stands.
 */
public final class Refusals {
    private final List<String> problems = new ArrayList<>();

    /** Refuses a value unless {@code holds}; {@code rule} completes "must be …". */
    public Refusals unless(boolean holds, String key, Object value, String rule) {
        return holds ? this : add("'%s' is %s but must be %s".formatted(key, shown(value), rule));
    }

    /** Refuses something for another reason, which begins with the key in quotes. */
    public Refusals add(String problem) {
        problems.add(problem);
        return this;
    }

    /**
     * Ends the checking.
     *
     * @throws ConfigurationException with everything refused
     */
    public void throwIfAny() {
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
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

package io.mcpbridge.workers.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.tool.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validates and writes the values in messages between a pool and a worker: maps, lists, strings, numbers, booleans and
 * nulls.
 *
 * <p>Numbers keep their exact value. A value is measured before it is written, so that a far too large one needs no
 * memory for its text, and after it was read, since a tool may have written it.
 */
final class WorkerValueWriter {
    /** The deepest nesting; more than sensible values have, and safe for the stack. */
    private static final int MAX_DEPTH = 256;

    /**
     * The most digits of a number, including those that its exponent stands for: a short number with a large exponent
     * can have a billion digits. The JSON reader has the same limit.
     */
    private static final int MAX_DIGITS = 1_000;

    /** The most bits of a number. They are checked first, since counting the decimal digits of many bits takes long. */
    private static final int MAX_BITS = MAX_DIGITS * 10 / 3;

    /** The longest string and the longest name that the JSON reader accepts. */
    private static final int MAX_STRING = 20_000_000;

    private static final int MAX_NAME = 50_000;

    private final int maxBytes;
    private long size;

    private WorkerValueWriter(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Thrown if a value exceeds its maximum size. */
    static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private TooLargeException(int maxBytes) {
            super("the value takes more than %d bytes".formatted(maxBytes), null, false, false);
        }
    }

    /**
     * Validates a value without writing it.
     *
     * @throws IllegalArgumentException if it contains another type, is nested too deeply, or has a number of too many
     *     digits
     * @throws TooLargeException if its JSON text exceeds {@code maxBytes}, estimated without writing it
     */
    static void require(@Nullable Object value, int maxBytes) {
        new WorkerValueWriter(maxBytes).visit(value, 0);
    }

    /**
     * Writes a line with one JSON object.
     *
     * @param head the members before the value
     * @param name the key of the value
     * @throws IllegalArgumentException if {@link #require} rejects the value
     * @throws TooLargeException if the value exceeds {@code maxBytes}
     */
    static byte[] line(Map<String, ?> head, String name, @Nullable Object value, int maxBytes) {
        require(value, maxBytes);
        var object = Json.of(Collections.singletonMap(name, value)).text();
        if (object.getBytes(UTF_8).length - (name.length() + 5) > maxBytes) {
            throw new TooLargeException(maxBytes);
        }
        var start = Json.of(head).text();
        return (start.substring(0, start.length() - 1) + "," + object.substring(1) + "\n").getBytes(UTF_8);
    }

    private void visit(@Nullable Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            requireDepth(depth);
            add(2);
            map.forEach((key, each) -> {
                requireLength(String.valueOf(key), MAX_NAME);
                visit(each, depth + 1);
            });
        } else if (value instanceof Iterable<?> list) {
            requireDepth(depth);
            add(2);
            list.forEach(each -> visit(each, depth + 1));
        } else {
            requireScalar(value);
        }
    }

    private static void requireDepth(int depth) {
        if (depth >= MAX_DEPTH) {
            throw new IllegalArgumentException("the value is nested deeper than %d levels".formatted(MAX_DEPTH));
        }
    }

    private void requireScalar(@Nullable Object value) {
        add(1);
        if (value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>) {
            requireLength(value.toString(), MAX_STRING);
        } else if (value instanceof BigDecimal || value instanceof BigInteger) {
            requireDigits((Number) value);
        } else if (!(value == null
                || value instanceof Boolean
                || (value instanceof Number number && Double.isFinite(number.doubleValue())))) {
            throw new IllegalArgumentException(
                    "cannot return %s; use maps, lists, strings, finite numbers, booleans or null"
                            .formatted(value.getClass()));
        }
    }

    private void requireLength(String text, int most) {
        if (text.length() > most) {
            throw new IllegalArgumentException(
                    "a text has %d characters; at most %d are possible".formatted(text.length(), most));
        }
        add(text.length());
    }

    private static void requireDigits(Number number) {
        var decimal = number instanceof BigInteger whole ? new BigDecimal(whole) : (BigDecimal) number;
        var isShort = decimal.unscaledValue().bitLength() <= MAX_BITS
                && Math.abs((long) decimal.precision() - decimal.scale()) <= MAX_DIGITS
                && decimal.toString().chars().filter(Character::isDigit).count() <= MAX_DIGITS;
        if (!isShort) {
            throw new IllegalArgumentException(
                    "a number has more than %d digits, or as large an exponent".formatted(MAX_DIGITS));
        }
    }

    private void add(int bytes) {
        size += bytes;
        if (size > maxBytes) {
            throw new TooLargeException(maxBytes);
        }
    }
}

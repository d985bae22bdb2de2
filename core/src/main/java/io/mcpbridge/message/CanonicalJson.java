package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.VisibleText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON in canonical form: equal values have equal text, so the text can be compared, hashed and signed.
 *
 * <p>Both forms have no white space and sort the members of an object by the UTF-16 code units of their keys. They differ
 * in numbers and in the escapes of strings. Values are maps, iterables, strings, numbers, booleans and null. All constants
 * are safe for use by many threads.
 */
public enum CanonicalJson {
    /**
     * Keeps the exact value of each number: {@code 1}, {@code 1.0} and {@code 10e-1} are all written as {@code 1}, and
     * two numbers that round to the same double stay different. Hidden characters and lone surrogates are escaped.
     */
    EXACT {
        @Override
        void appendNumber(StringBuilder json, Number number) {
            json.append(exact(decimal(number)));
        }

        @Override
        void appendEscaped(StringBuilder json, int codePoint) {
            if (codePoint < ' ') {
                json.append("\\u%04X".formatted(codePoint));
            } else if (codePoint >= 0x7F && VisibleText.isHidden(codePoint)) {
                for (char unit : Character.toChars(codePoint)) {
                    json.append("\\u%04x".formatted((int) unit));
                }
            } else {
                json.appendCodePoint(codePoint);
            }
        }
    },

    /** The form of RFC 8785 (JSON Canonicalization Scheme): numbers are IEEE 754 doubles, as ECMAScript writes them. */
    RFC_8785 {
        @Override
        void appendNumber(StringBuilder json, Number number) {
            json.append(EcmaScriptNumber.of(number));
        }

        @Override
        void appendEscaped(StringBuilder json, int codePoint) {
            if (codePoint < ' ') {
                json.append("\\u%04x".formatted(codePoint));
            } else if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        "a string has the lone surrogate U+%04X, which RFC 8785 cannot write".formatted(codePoint));
            } else {
                json.appendCodePoint(codePoint);
            }
        }
    };

    /** An integer with more digits is written with an exponent, so that a short number cannot become a long text. */
    private static final int MAX_INTEGER_DIGITS = 21;

    /** Characters that are escaped by a backslash and the letter at the same index of {@link #ESCAPE_LETTERS}. */
    private static final String ESCAPED = "\"\\\b\f\n\r\t";

    private static final String ESCAPE_LETTERS = "\"\\bfnrt";

    /**
     * The canonical text of a value.
     *
     * @throws IllegalArgumentException if this form cannot write the value: it holds another type, a number that is not
     *     finite or, with {@link #RFC_8785}, a lone surrogate or a number beyond the range of {@code double}
     */
    public String write(@Nullable Object value) {
        return new Writer(this, false).write(value);
    }

    /**
     * The same value for human readers: one member or element per line, indented by two spaces.
     *
     * @throws IllegalArgumentException as {@link #write}
     */
    public String writeIndented(@Nullable Object value) {
        return new Writer(this, true).write(value);
    }

    /**
     * The SHA-256 of the canonical text in UTF-8, as lower-case hexadecimal digits.
     *
     * @throws IllegalArgumentException as {@link #write}
     */
    public String sha256(@Nullable Object value) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(write(value).getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256, which every one must have", e);
        }
    }

    /**
     * Returns equal objects for numbers of equal value: a {@link BigInteger}, or a {@link BigDecimal} without trailing
     * zeros if the number has a fraction or more than 21 digits. {@link #EXACT} writes its {@code toString}.
     *
     * @throws ArithmeticException if the exponent is out of the range of {@code BigDecimal}
     */
    public static Number exact(BigDecimal number) {
        var stripped = number.stripTrailingZeros();
        boolean isShort = (long) stripped.precision() - stripped.scale() <= MAX_INTEGER_DIGITS;
        return stripped.scale() <= 0 && isShort ? stripped.toBigIntegerExact() : stripped;
    }

    private static BigDecimal decimal(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        if (number instanceof BigInteger integer) {
            return new BigDecimal(integer);
        }
        if (number instanceof Double || number instanceof Float) {
            requireFinite(number.doubleValue());
        }
        return new BigDecimal(number.toString());
    }

    private static void requireFinite(double number) {
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException(
                    "a number is %s; JSON and IEEE 754 doubles need a finite one".formatted(number));
        }
    }

    abstract void appendNumber(StringBuilder json, Number number);

    /** Appends a code point that may need an escape of four digits. */
    abstract void appendEscaped(StringBuilder json, int codePoint);

    /** Writes one value. */
    private static final class Writer {
        private final StringBuilder json = new StringBuilder();
        private final CanonicalJson form;
        private final boolean isIndented;
        private int depth;

        private Writer(CanonicalJson form, boolean isIndented) {
            this.form = form;
            this.isIndented = isIndented;
        }

        private String write(@Nullable Object value) {
            appendValue(value);
            return json.toString();
        }

        private void appendValue(@Nullable Object value) {
            if (value instanceof String text) {
                appendString(text);
            } else if (value instanceof Map<?, ?> map) {
                appendObject(map);
            } else if (value instanceof Iterable<?> elements) {
                appendArray(elements);
            } else if (value instanceof Number number) {
                form.appendNumber(json, number);
            } else if (value instanceof Boolean || value == null) {
                json.append(value);
            } else {
                throw new IllegalArgumentException(
                        "cannot write %s as JSON; use maps, iterables, strings, numbers, booleans or null"
                                .formatted(value.getClass()));
            }
        }

        private void appendObject(Map<?, ?> map) {
            var sorted = new TreeMap<String, @Nullable Object>();
            map.forEach((key, member) -> sorted.put(String.valueOf(key), member));
            open('{');
            boolean isFirst = true;
            for (var member : sorted.entrySet()) {
                separate(isFirst);
                isFirst = false;
                appendString(member.getKey());
                json.append(isIndented ? " : " : ":");
                appendValue(member.getValue());
            }
            close('}', isFirst);
        }

        private void appendArray(Iterable<?> elements) {
            open('[');
            boolean isFirst = true;
            for (var element : elements) {
                separate(isFirst);
                isFirst = false;
                appendValue(element);
            }
            close(']', isFirst);
        }

        private void open(char bracket) {
            json.append(bracket);
            depth++;
        }

        private void separate(boolean isFirst) {
            if (!isFirst) {
                json.append(',');
            }
            breakLine();
        }

        private void close(char bracket, boolean isEmpty) {
            depth--;
            if (!isEmpty) {
                breakLine();
            } else if (isIndented) {
                json.append(' ');
            }
            json.append(bracket);
        }

        private void breakLine() {
            if (isIndented) {
                json.append('\n').append("  ".repeat(depth));
            }
        }

        private void appendString(String text) {
            json.append('"');
            int plain = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < ' ' || c >= 0x7F || c == '"' || c == '\\') {
                    json.append(text, plain, i);
                    i += appendSpecial(text, i) - 1;
                    plain = i + 1;
                }
            }
            json.append(text, plain, text.length()).append('"');
        }

        /** Appends the code point at {@code at}; returns its length in UTF-16 units. */
        private int appendSpecial(String text, int at) {
            int escape = ESCAPED.indexOf(text.charAt(at));
            if (escape >= 0) {
                json.append('\\').append(ESCAPE_LETTERS.charAt(escape));
                return 1;
            }
            int codePoint = text.codePointAt(at);
            form.appendEscaped(json, codePoint);
            return Character.charCount(codePoint);
        }
    }

    /**
     * Writes a double as ECMAScript's {@code Number::toString} does: with the fewest digits that read back as the same
     * double, and among those the nearest value. {@code Double.toString} does so only since Java 19.
     */
    private static final class EcmaScriptNumber {
        private static final long MAX_EXACT_INTEGER = 1L << 53;
        private static final int MAX_DIGITS = 17;

        private EcmaScriptNumber() {}

        private static String of(Number number) {
            if (number instanceof Long || number instanceof Integer) {
                long integer = number.longValue();
                if (integer <= MAX_EXACT_INTEGER && integer >= -MAX_EXACT_INTEGER) {
                    return Long.toString(integer);
                }
            }
            return of(number.doubleValue());
        }

        private static String of(double number) {
            requireFinite(number);
            if (number == 0) {
                return "0";
            }
            return (number < 0 ? "-" : "") + format(shortest(Math.abs(number)));
        }

        private static BigDecimal shortest(double number) {
            var exact = new BigDecimal(number);
            for (int digits = 1; digits < MAX_DIGITS; digits++) {
                var low = exact.round(new MathContext(digits, RoundingMode.FLOOR));
                var high = exact.round(new MathContext(digits, RoundingMode.CEILING));
                boolean isLowEqual = low.doubleValue() == number;
                boolean isHighEqual = high.doubleValue() == number;
                if (isLowEqual && isHighEqual) {
                    return nearest(exact, low, high);
                }
                if (isLowEqual || isHighEqual) {
                    return isLowEqual ? low : high;
                }
            }
            return exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN));
        }

        private static BigDecimal nearest(BigDecimal exact, BigDecimal low, BigDecimal high) {
            int order = exact.subtract(low).compareTo(high.subtract(exact));
            boolean isLowEven = !low.unscaledValue().testBit(0);
            return order < 0 || (order == 0 && isLowEven) ? low : high;
        }

        private static String format(BigDecimal shortest) {
            var plain = shortest.stripTrailingZeros();
            var digits = plain.unscaledValue().toString();
            int point = digits.length() - plain.scale();
            if (point > 0 && point <= 21) {
                return digits.length() <= point
                        ? digits + "0".repeat(point - digits.length())
                        : digits.substring(0, point) + "." + digits.substring(point);
            }
            if (point <= 0 && point > -6) {
                return "0." + "0".repeat(-point) + digits;
            }
            var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
            return digits.charAt(0) + fraction + "e" + (point > 0 ? "+" : "-") + Math.abs(point - 1);
        }
    }
}

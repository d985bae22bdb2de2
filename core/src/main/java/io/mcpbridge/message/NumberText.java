package io.mcpbridge.message;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Parses numbers that a peer wrote. Parsing takes time quadratic in the number of digits, so a number that is longer
 * than any plausible one is not parsed.
 */
public final class NumberText {
    /** The maximum length of a number, in characters. */
    public static final int LONGEST = 64;

    private NumberText() {}

    /** Parses a number; empty if the text is not one, or is longer than {@value #LONGEST} characters. */
    public static Optional<BigDecimal> read(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(text));
        } catch (NumberFormatException notNumber) {
            return Optional.empty();
        }
    }

    /**
     * Parses a whole number in any notation, such as {@code 1e3}; empty if the text is not one, or is outside the range
     * of {@code int}.
     */
    public static Optional<Integer> readInt(String text) {
        return read(text).flatMap(NumberText::exact);
    }

    private static Optional<Integer> exact(BigDecimal number) {
        try {
            return Optional.of(number.intValueExact());
        } catch (ArithmeticException notInt) {
            return Optional.empty();
        }
    }
}

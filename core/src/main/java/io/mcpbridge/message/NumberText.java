package io.mcpbridge.message;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Reads numbers that a peer wrote. Reading one takes time that grows with the square of its digits, so one that is longer
 * than any honest one is not read at all.
 */
public final class NumberText {
    /** The most characters that a number may have to be read. */
    public static final int LONGEST = 64;

    private NumberText() {}

    /** The number; empty if the text is none, or is longer than {@value #LONGEST} characters. */
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

    /** The whole number, whatever way it is written; empty if it is none or outside the range of {@code int}. */
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

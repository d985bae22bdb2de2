package io.mcpbridge.sandbox.worker.internal.frame;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * Decimal numbers as texts. Reading one takes time that grows with the square of its digits, and a short one can stand for
 * a billion of them; so both have a bound.
 */
final class Decimals {
    private static final int MOST_DIGITS = 1_000;

    /** More than any number within the bounds takes: a sign, a point, an exponent. */
    private static final int LONGEST = MOST_DIGITS + 16;

    /** As many bits as {@value #MOST_DIGITS} digits take, and a few more. */
    private static final int MOST_BITS = MOST_DIGITS * 10 / 3;

    private Decimals() {}

    /**
     * Writes a {@code BigDecimal} or {@code BigInteger}.
     *
     * @throws IllegalArgumentException if it is beyond the bounds
     */
    static String text(Number number) {
        var decimal = number instanceof BigInteger whole ? new BigDecimal(whole) : (BigDecimal) number;
        if (!isWithin(decimal)) {
            throw new IllegalArgumentException(
                    "cannot pass on a number of more than %d digits, or with as large an exponent"
                            .formatted(MOST_DIGITS));
        }
        return decimal.toString();
    }

    /** Reads one; empty if it is beyond the bounds. */
    static Optional<BigDecimal> read(String text) {
        return text.length() > LONGEST
                ? Optional.empty()
                : Optional.of(new BigDecimal(text)).filter(Decimals::isWithin);
    }

    /** The bits are looked at first, since counting the digits of many of them takes long itself. */
    private static boolean isWithin(BigDecimal number) {
        return number.unscaledValue().bitLength() <= MOST_BITS
                && number.precision() <= MOST_DIGITS
                && Math.abs((long) number.precision() - number.scale()) <= MOST_DIGITS;
    }
}

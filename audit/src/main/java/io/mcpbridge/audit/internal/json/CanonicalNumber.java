package io.mcpbridge.audit.internal.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Writes numbers as ECMAScript does: the fewest digits that read back as the same double, and of those the nearest.
 *
 * <p>{@code Double.toString} does not before Java 19.
 */
final class CanonicalNumber {
    private static final long LARGEST_EXACT = 1L << 53;
    private static final int MOST_DIGITS = 17;

    private CanonicalNumber() {}

    static String of(Number number) {
        if (number instanceof Long || number instanceof Integer) {
            long whole = number.longValue();
            if (whole <= LARGEST_EXACT && whole >= -LARGEST_EXACT) {
                return Long.toString(whole);
            }
        }
        return of(number.doubleValue());
    }

    static String of(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new MalformedJsonException("%s is no number of JSON".formatted(number));
        }
        if (number == 0) {
            return "0";
        }
        var sign = number < 0 ? "-" : "";
        return sign + written(shortest(Math.abs(number)));
    }

    private static BigDecimal shortest(double number) {
        var exact = new BigDecimal(number);
        for (int digits = 1; digits < MOST_DIGITS; digits++) {
            var low = exact.round(new MathContext(digits, RoundingMode.FLOOR));
            var high = exact.round(new MathContext(digits, RoundingMode.CEILING));
            var lowFits = low.doubleValue() == number;
            var highFits = high.doubleValue() == number;
            if (lowFits && highFits) {
                return nearest(exact, low, high);
            }
            if (lowFits || highFits) {
                return lowFits ? low : high;
            }
        }
        return exact.round(new MathContext(MOST_DIGITS, RoundingMode.HALF_EVEN));
    }

    private static BigDecimal nearest(BigDecimal exact, BigDecimal low, BigDecimal high) {
        int order = exact.subtract(low).compareTo(high.subtract(exact));
        var isLowEven = !low.unscaledValue().testBit(0);
        return order < 0 || (order == 0 && isLowEven) ? low : high;
    }

    /** The digits with their point or exponent where ECMAScript's {@code Number::toString} puts it. */
    private static String written(BigDecimal shortest) {
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

package io.mcpbridge.serve.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Java types whose values are numbers in JSON. */
final class NumberValues {
    private static final Map<String, Object> NUMBER = Values.object("type", "number");

    private static final int MOST_DIGITS = 1_000;

    private record Form(Map<String, Object> schema, Function<BigDecimal, Object> read) {}

    private static final Map<Class<?>, Form> FORMS = Map.ofEntries(
            entry(byte.class, whole(Byte.MIN_VALUE, Byte.MAX_VALUE), BigDecimal::byteValueExact),
            entry(Byte.class, whole(Byte.MIN_VALUE, Byte.MAX_VALUE), BigDecimal::byteValueExact),
            entry(short.class, whole(Short.MIN_VALUE, Short.MAX_VALUE), BigDecimal::shortValueExact),
            entry(Short.class, whole(Short.MIN_VALUE, Short.MAX_VALUE), BigDecimal::shortValueExact),
            entry(int.class, whole(Integer.MIN_VALUE, Integer.MAX_VALUE), BigDecimal::intValueExact),
            entry(Integer.class, whole(Integer.MIN_VALUE, Integer.MAX_VALUE), BigDecimal::intValueExact),
            entry(long.class, whole(Long.MIN_VALUE, Long.MAX_VALUE), BigDecimal::longValueExact),
            entry(Long.class, whole(Long.MIN_VALUE, Long.MAX_VALUE), BigDecimal::longValueExact),
            entry(BigInteger.class, Values.object("type", "integer"), NumberValues::bigInteger),
            entry(float.class, NUMBER, BigDecimal::floatValue),
            entry(Float.class, NUMBER, BigDecimal::floatValue),
            entry(double.class, NUMBER, BigDecimal::doubleValue),
            entry(Double.class, NUMBER, BigDecimal::doubleValue),
            entry(BigDecimal.class, NUMBER, number -> number));

    private NumberValues() {}

    static boolean isNumber(Class<?> type) {
        return FORMS.containsKey(type);
    }

    /** The schema of such a type. */
    static Map<String, Object> schema(Class<?> type) {
        return form(type).schema();
    }

    /** A number, which fits the schema, as such a type. */
    static Object read(Class<?> type, Number number) {
        return form(type).read().apply(Kinds.decimal(number));
    }

    /** A short text can stand for a number of a billion digits. */
    private static BigInteger bigInteger(BigDecimal number) {
        if ((long) number.precision() - number.scale() > MOST_DIGITS) {
            throw new ArithmeticException("must have at most %d digits".formatted(MOST_DIGITS));
        }
        return number.toBigIntegerExact();
    }

    private static Form form(Class<?> type) {
        return Objects.requireNonNull(FORMS.get(type));
    }

    private static Map.Entry<Class<?>, Form> entry(
            Class<?> type, Map<String, Object> schema, Function<BigDecimal, Object> read) {
        return Map.entry(type, new Form(schema, read));
    }

    private static Map<String, Object> whole(long least, long most) {
        return Values.object("type", "integer", "minimum", least, "maximum", most);
    }
}

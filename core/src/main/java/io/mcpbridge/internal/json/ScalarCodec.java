package io.mcpbridge.internal.json;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A Java type whose values are strings or numbers in JSON. Immutable.
 *
 * @param schema the JSON Schema of such a value
 */
public record ScalarCodec(Map<String, Object> schema, Function<Object, Object> reader) {
    private static final int MAX_DIGITS = 1_000;

    private static final Map<Class<?>, ScalarCodec> STRINGS = Map.of(
            String.class, string(text -> text),
            LocalDateTime.class, string(LocalDateTime::parse),
            LocalTime.class, string(LocalTime::parse),
            URI.class, string("uri", URI::create),
            UUID.class, string("uuid", UUID::fromString),
            Duration.class, string("duration", Duration::parse),
            Instant.class, string("date-time", Instant::parse),
            OffsetDateTime.class, string("date-time", OffsetDateTime::parse),
            LocalDate.class, string("date", LocalDate::parse));

    /** The number types; a primitive one is that of its class. */
    private static final Map<Class<?>, ScalarCodec> NUMBERS = Map.of(
            Byte.class, integer(Byte.MIN_VALUE, Byte.MAX_VALUE, BigDecimal::byteValueExact),
            Short.class, integer(Short.MIN_VALUE, Short.MAX_VALUE, BigDecimal::shortValueExact),
            Integer.class, integer(Integer.MIN_VALUE, Integer.MAX_VALUE, BigDecimal::intValueExact),
            Long.class, integer(Long.MIN_VALUE, Long.MAX_VALUE, BigDecimal::longValueExact),
            BigInteger.class, number(schema("integer"), ScalarCodec::bigInteger),
            Float.class, number(schema("number"), BigDecimal::floatValue),
            Double.class, number(schema("number"), BigDecimal::doubleValue),
            BigDecimal.class, number(schema("number"), value -> value));

    /** The scalar type of a class; empty if its values are neither strings nor numbers. */
    public static Optional<ScalarCodec> of(Class<?> type) {
        var string = STRINGS.get(type);
        var boxed = MethodType.methodType(type).wrap().returnType();
        return Optional.ofNullable(string == null ? NUMBERS.get(boxed) : string);
    }

    public static boolean isString(Class<?> type) {
        return STRINGS.containsKey(type);
    }

    /** A schema of this type, with more keywords and their values in this order: clients see the same at each start. */
    public static Map<String, Object> schema(String type, Object... more) {
        var schema = new LinkedHashMap<String, Object>();
        schema.put("type", type);
        for (int i = 0; i < more.length; i += 2) {
            schema.put((String) more[i], more[i + 1]);
        }
        return schema;
    }

    /**
     * The Java value of a string or a number, whichever the schema has.
     *
     * @throws RuntimeException if it has not the form of the type; the message says why
     */
    Object read(Object value) {
        return reader.apply(value);
    }

    private static ScalarCodec string(Function<String, Object> reader) {
        return new ScalarCodec(schema("string"), text -> reader.apply((String) text));
    }

    private static ScalarCodec string(String format, Function<String, Object> reader) {
        return new ScalarCodec(schema("string", "format", format), text -> reader.apply((String) text));
    }

    private static ScalarCodec integer(long min, long max, Function<BigDecimal, Object> reader) {
        return number(schema("integer", "minimum", min, "maximum", max), value -> {
            try {
                return reader.apply(value);
            } catch (ArithmeticException outOfRange) {
                throw new ArithmeticException("must be an integer from %d to %d but is %s"
                        .formatted(min, max, JsonCodec.cut(value.toString())));
            }
        });
    }

    private static ScalarCodec number(Map<String, Object> schema, Function<BigDecimal, Object> reader) {
        return new ScalarCodec(
                schema,
                value -> reader.apply(
                        value instanceof BigDecimal decimal
                                ? decimal
                                : BigDecimal.valueOf(((Number) value).longValue())));
    }

    /** Has a bound, since a short text can denote a number with a billion digits. */
    private static BigInteger bigInteger(BigDecimal number) {
        if ((long) number.precision() - number.scale() > MAX_DIGITS) {
            throw new ArithmeticException("must have at most %d digits".formatted(MAX_DIGITS));
        }
        try {
            return number.toBigIntegerExact();
        } catch (ArithmeticException fraction) {
            throw new ArithmeticException("must be an integer but is " + JsonCodec.cut(number.toString()));
        }
    }
}

package io.mcpbridge.catalog.lock;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON in the one form that all ways of writing the same value share: no blanks, keys in the order of their UTF-16 code
 * units, numbers by their exact value, and hidden characters escaped. Other than RFC 8785 does, numbers are not rounded to
 * doubles, since two definitions must not look alike that differ.
 */
final class CanonicalJson {
    /** A whole number with more digits is written with an exponent, so that a short one cannot become long. */
    private static final int MOST_DIGITS = 21;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private static final ObjectWriter INDENTED = MAPPER.writer()
            .with(new DefaultPrettyPrinter()
                    .withObjectIndenter(new DefaultIndenter("  ", "\n"))
                    .withArrayIndenter(new DefaultIndenter("  ", "\n")));

    private CanonicalJson() {}

    /**
     * Reads a value: sorted maps, lists, texts, {@link BigInteger}, {@link BigDecimal}, booleans and null.
     *
     * @throws JacksonException if it is not JSON, has a key twice in one object, or is beyond the limits of the reader
     */
    static @Nullable Object read(String json) {
        try {
            return value(MAPPER.readTree(json));
        } catch (NumberFormatException | ArithmeticException outOfRange) {
            // The reader lets these through, of a number whose exponent is too large.
            throw new StreamReadException(null, "a number is out of the range of Java's BigDecimal", outOfRange);
        }
    }

    /** Writes what was read. */
    static String write(@Nullable Object value) {
        return Hidden.escaped(MAPPER.writeValueAsString(value));
    }

    /** The same for people: a line for each member and element, and one line's end at the end. */
    static String writeIndented(@Nullable Object value) {
        return Hidden.escaped(INDENTED.writeValueAsString(value)) + "\n";
    }

    /** The SHA-256 of a value that was read, in hexadecimal digits. */
    static String hash(@Nullable Object value) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(write(value).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private static @Nullable Object value(JsonNode node) {
        if (node.isObject()) {
            Map<String, @Nullable Object> members = new TreeMap<>();
            node.properties().forEach(member -> members.put(member.getKey(), value(member.getValue())));
            return members;
        }
        if (node.isArray()) {
            List<@Nullable Object> elements = new ArrayList<>(node.size());
            node.forEach(element -> elements.add(value(element)));
            return elements;
        }
        if (node.isNumber()) {
            return number(node.isIntegralNumber() ? new BigDecimal(node.bigIntegerValue()) : node.decimalValue());
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isNull() ? null : node.stringValue();
    }

    private static Number number(BigDecimal said) {
        var bare = said.stripTrailingZeros();
        var isShort = (long) bare.precision() - bare.scale() <= MOST_DIGITS;
        return bare.scale() <= 0 && isShort ? bare.toBigIntegerExact() : bare;
    }
}

package io.mcpbridge.tool;

import static io.mcpbridge.internal.json.JsonCodec.readPlain;
import static io.mcpbridge.internal.json.JsonCodec.write;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.RawJsonParts;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value, stored as its original text. Immutable; two values are equal if their texts are.
 *
 * <p>{@link #value()} and {@link #asMap()} parse the whole value into plain Java values: maps, lists, strings,
 * {@code Long}, {@code BigDecimal}, booleans and nulls. {@link #member} and the methods after it read one part; they
 * return an empty result rather than throw if that part is missing or has another type.
 */
public final class Json {
    private final String text;

    /** Parsed on first use. Two threads may parse at the same time; the results are equal. */
    private volatile @Nullable Object value;

    /** Parsed on first use, like {@link #value}. */
    private volatile @Nullable Map<String, String> members;

    private Json(String text, @Nullable Object value) {
        this.text = text;
        this.value = value;
    }

    /**
     * Parses a JSON text.
     *
     * @throws ProtocolException if it is not JSON, or an object in it has a key twice; the message contains line and
     *     column
     */
    public static Json parse(String text) {
        return new Json(text, readPlain(text));
    }

    /**
     * Creates a JSON value from a plain Java value.
     *
     * @param value made of maps, iterables, strings, finite numbers, booleans and nulls
     * @throws IllegalArgumentException if it contains a value of another type
     */
    public static Json of(Object value) {
        return ofChecked(write(value));
    }

    /** Wraps a text that is known to be JSON, such as a part of a received message. Does not check it. */
    public static Json ofChecked(String text) {
        return new Json(text, null);
    }

    /** The JSON text. */
    public String text() {
        return text;
    }

    /**
     * The whole value as plain Java values; null for the JSON value {@code null}. The caller must not change it.
     *
     * @throws ProtocolException if an object in it has a key twice, which a peer may have sent
     */
    public @Nullable Object value() {
        var read = value;
        if (read == null) {
            read = readPlain(text);
            value = read;
        }
        return read;
    }

    /**
     * The members of an object as plain Java values, in their order, as a new map that the caller may change.
     *
     * @throws ProtocolException if it is not an object, or an object in it has a key twice
     */
    public Map<String, @Nullable Object> asMap() {
        if (!(value() instanceof Map<?, ?> read)) {
            throw ProtocolException.malformed(ErrorCode.INVALID_PARAMS, "it is JSON, but not an object");
        }
        var named = new LinkedHashMap<String, @Nullable Object>();
        read.forEach((key, member) -> named.put(String.valueOf(key), member));
        return named;
    }

    /** A member of an object; empty if it is missing or {@code null}, or if this is not an object. */
    public Optional<Json> member(String name) {
        return Optional.ofNullable(rawMembers().get(name))
                .filter(raw -> !raw.equals("null"))
                .map(Json::ofChecked);
    }

    private Map<String, String> rawMembers() {
        var read = members;
        if (read == null) {
            read = readMembers();
            members = read;
        }
        return read;
    }

    private Map<String, String> readMembers() {
        try {
            return RawJsonParts.members(text);
        } catch (ProtocolException notAnObject) {
            return Map.of();
        }
    }

    /** The elements of an array; empty if this is not an array. */
    public List<Json> elements() {
        try {
            return RawJsonParts.elements(text).stream().map(Json::ofChecked).toList();
        } catch (ProtocolException notAnArray) {
            return List.of();
        }
    }

    /** The decoded text of a string; empty if this is not a string. */
    public Optional<String> asString() {
        var token = text.strip();
        return token.startsWith("\"") ? Optional.of(JsonStrings.decode(token)) : Optional.empty();
    }

    /**
     * The value of a number; empty if this is not a number, or is longer than {@value NumberText#LONGEST} characters.
     */
    public Optional<BigDecimal> asNumber() {
        return NumberText.read(text.strip());
    }

    /** Whether this is {@code true}. */
    public boolean isTrue() {
        return text.strip().equals("true");
    }

    /** A member that is a string. */
    Optional<String> string(String name) {
        return member(name).flatMap(Json::asString);
    }

    /** A member that is a number. */
    Optional<BigDecimal> number(String name) {
        return member(name).flatMap(Json::asNumber);
    }

    /** A member that is a whole number in the range of {@code long}. */
    OptionalLong longNumber(String name) {
        try {
            var number = number(name);
            return number.isPresent() ? OptionalLong.of(number.get().longValueExact()) : OptionalLong.empty();
        } catch (ArithmeticException notLong) {
            return OptionalLong.empty();
        }
    }

    /** A member that is true. */
    boolean flag(String name) {
        return member(name).filter(Json::isTrue).isPresent();
    }

    /** The elements of a member that is an array. */
    List<Json> list(String name) {
        return member(name).map(Json::elements).orElse(List.of());
    }

    /** Throws unless a member is a string. */
    void requireString(String what, String name) {
        if (string(name).isEmpty()) {
            throw ProtocolException.upstreamInvalid("%s needs a '%s' that is a text, but has %s"
                    .formatted(what, name, rawMembers().getOrDefault(name, "none")));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Json that && that.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}

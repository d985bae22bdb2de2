package io.mcpbridge.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonPieces;
import io.mcpbridge.message.JsonText;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes small JSON documents as trees of plain values. Any thread may use it. */
public final class Json {
    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final JsonFactory COMMENTED = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private Json() {}

    /**
     * Reads a document that people write: comments and trailing commas are allowed.
     *
     * @throws ProtocolException if it is not JSON; the message names line and column
     */
    public static JsonNode readCommented(String text) {
        return read(COMMENTED, text);
    }

    /**
     * Reads a document that programs write.
     *
     * @throws ProtocolException if it is not JSON
     */
    public static JsonNode read(String text) {
        return read(STRICT, text);
    }

    /** Reads a document as plain maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. */
    public static @Nullable Object readPlain(String text) {
        try (JsonParser parser = STRICT.createParser(text)) {
            parser.nextToken();
            var value = PlainValues.read(parser);
            requireEnd(parser);
            return value;
        } catch (IOException broken) {
            throw invalid(words(broken));
        }
    }

    /** Writes maps, lists, strings, numbers, booleans and nulls. */
    public static String write(@Nullable Object value) {
        var out = new StringWriter();
        try (JsonGenerator generator = STRICT.createGenerator(out)) {
            write(generator, value);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory failed", impossible);
        }
        return out.toString();
    }

    /**
     * The raw texts of the elements of an array, byte for byte as they stand in {@code json}. A member that stands twice in
     * one of them is refused; {@link JsonPieces} cuts where that is to be the matter of the element alone.
     *
     * @throws ProtocolException if it is not a JSON array
     */
    public static List<String> rawElements(String json) {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        var elements = new ArrayList<String>();
        try (JsonParser parser = STRICT.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw invalid("expected an array but found " + cut(json));
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(rawValue(parser, bytes));
            }
        } catch (IOException broken) {
            throw invalid(words(broken));
        }
        return elements;
    }

    /**
     * The raw texts of the members of an object, in their order. A member that stands twice is refused however deep;
     * {@link JsonPieces} looks no deeper than the object itself.
     *
     * @throws ProtocolException if it is not a JSON object
     */
    public static Map<String, String> rawMembers(String json) {
        var bytes = json.getBytes(StandardCharsets.UTF_8);
        var members = new LinkedHashMap<String, String>();
        try (JsonParser parser = STRICT.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("expected an object but found " + cut(json));
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                parser.nextToken();
                members.put(name, rawValue(parser, bytes));
            }
        } catch (IOException broken) {
            throw invalid(words(broken));
        }
        return members;
    }

    /** What a raw value says that is a string, its escapes read; empty where it is something else. */
    public static Optional<String> text(String raw) {
        return raw.startsWith("\"") ? Optional.of(JsonText.decode(raw)) : Optional.empty();
    }

    /** An object of these members, whose values are raw JSON. */
    public static String object(Map<String, String> rawMembers) {
        return rawMembers.entrySet().stream()
                .map(member -> JsonText.quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String rawValue(JsonParser parser, byte[] bytes) throws IOException {
        var start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        var end = (int) parser.currentLocation().getByteOffset();
        return new String(bytes, start, end - start, StandardCharsets.UTF_8).strip();
    }

    private static JsonNode read(JsonFactory factory, String text) {
        try (JsonParser parser = factory.createParser(text)) {
            parser.nextToken();
            var node = node(parser);
            requireEnd(parser);
            return node;
        } catch (IOException broken) {
            throw invalid(words(broken));
        }
    }

    private static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw invalid("line %d: something stands behind the end of the document".formatted(line(parser)));
        }
    }

    private static JsonNode node(JsonParser parser) throws IOException {
        var line = line(parser);
        var token = parser.currentToken();
        if (token == null) {
            throw empty();
        }
        return switch (token) {
            case START_OBJECT -> new JsonNode(members(parser), line);
            case START_ARRAY -> new JsonNode(elements(parser), line);
            case VALUE_STRING -> new JsonNode(parser.getText(), line);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNode(number(parser), line);
            case VALUE_TRUE -> new JsonNode(true, line);
            case VALUE_FALSE -> new JsonNode(false, line);
            case VALUE_NULL -> new JsonNode(null, line);
            default -> throw unexpected(parser);
        };
    }

    /** The number at which the parser stands. */
    static BigDecimal number(JsonParser parser) throws IOException {
        var text = parser.getText();
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException outOfRange) {
            throw invalid("line %d: the number %s is out of the range of Java's BigDecimal"
                    .formatted(line(parser), cut(text)));
        }
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    static ProtocolException empty() {
        return invalid("the document is empty");
    }

    static ProtocolException unexpected(JsonParser parser) {
        return invalid("line " + line(parser) + ": unexpected " + parser.currentToken());
    }

    private static Map<String, JsonNode> members(JsonParser parser) throws IOException {
        var members = new LinkedHashMap<String, JsonNode>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            members.put(name, node(parser));
        }
        return members;
    }

    private static List<JsonNode> elements(JsonParser parser) throws IOException {
        var elements = new ArrayList<JsonNode>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(node(parser));
        }
        return elements;
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Map<?, ?> map) {
            generator.writeStartObject();
            for (var entry : map.entrySet()) {
                generator.writeFieldName(String.valueOf(entry.getKey()));
                write(generator, entry.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof Iterable<?> list) {
            generator.writeStartArray();
            for (var element : list) {
                write(generator, element);
            }
            generator.writeEndArray();
        } else {
            writeScalar(generator, value);
        }
    }

    private static void writeScalar(JsonGenerator generator, Object value) throws IOException {
        if (value instanceof Boolean flag) {
            generator.writeBoolean(flag);
        } else if (value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte) {
            generator.writeNumber(((Number) value).longValue());
        } else if (value instanceof BigInteger number) {
            generator.writeNumber(number);
        } else if (value instanceof BigDecimal number) {
            generator.writeNumber(number);
        } else if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            generator.writeNumber(number.doubleValue());
        } else if (value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>) {
            generator.writeString(value.toString());
        } else {
            throw new IllegalArgumentException(
                    "cannot write %s as JSON; use maps, lists, strings, finite numbers, booleans or null"
                            .formatted(value.getClass()));
        }
    }

    private static ProtocolException invalid(String message) {
        return ProtocolException.malformed(ErrorCode.PARSE_ERROR, message);
    }

    private static String words(IOException broken) {
        if (broken instanceof com.fasterxml.jackson.core.JsonProcessingException json && json.getLocation() != null) {
            var place = json.getLocation();
            return "line %d, column %d: %s"
                    .formatted(place.getLineNr(), place.getColumnNr(), SyntaxWords.of(json.getOriginalMessage()));
        }
        return SyntaxWords.of(String.valueOf(broken.getMessage()));
    }

    private static String cut(String json) {
        return json.length() <= 40 ? json : json.substring(0, 40) + "…";
    }
}

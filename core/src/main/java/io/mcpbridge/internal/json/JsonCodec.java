package io.mcpbridge.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.RawJsonParts;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes small JSON documents as trees of plain values. Any thread may use it. */
public final class JsonCodec {
    private static final JsonFactory STRICT = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final JsonFactory COMMENTED = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();

    private JsonCodec() {}

    /**
     * Reads a document that people write: comments and trailing commas are allowed.
     *
     * @throws ProtocolException if it is not JSON; the message names line and column
     */
    public static LocatedJson readCommented(String text) {
        return node(read(COMMENTED, text, Form.NODES));
    }

    /**
     * Reads a document that programs write.
     *
     * @throws ProtocolException if it is not JSON
     */
    public static LocatedJson read(String text) {
        return node(read(STRICT, text, Form.NODES));
    }

    /** Reads a document as plain maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. */
    public static @Nullable Object readPlain(String text) {
        return read(STRICT, text, Form.PLAIN);
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
     * The raw texts of the elements of an array, byte for byte as in {@code json}. A duplicate member in an element is
     * rejected; use {@link RawJsonParts} if it should affect that element only.
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
     * The raw texts of the members of an object, in their order. A duplicate member is rejected at any depth; {@link
     * RawJsonParts} checks only the object itself.
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

    /** Decodes a raw value that is a string; empty if it is another kind of value. */
    public static Optional<String> text(String raw) {
        return raw.startsWith("\"") ? Optional.of(JsonStrings.decode(raw)) : Optional.empty();
    }

    /** An object of these members, whose values are raw JSON. */
    public static String object(Map<String, String> rawMembers) {
        return rawMembers.entrySet().stream()
                .map(member -> JsonStrings.quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String rawValue(JsonParser parser, byte[] bytes) throws IOException {
        var start = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        var end = (int) parser.currentLocation().getByteOffset();
        return new String(bytes, start, end - start, StandardCharsets.UTF_8).strip();
    }

    private static @Nullable Object read(JsonFactory factory, String text, Form form) {
        try (JsonParser parser = factory.createParser(text)) {
            parser.nextToken();
            var value = tree(parser, form);
            requireEnd(parser);
            return value;
        } catch (IOException broken) {
            throw invalid(words(broken));
        }
    }

    private static LocatedJson node(@Nullable Object tree) {
        return (LocatedJson) Objects.requireNonNull(tree, "each value of this form has a node");
    }

    private static void requireEnd(JsonParser parser) throws IOException {
        if (parser.nextToken() != null) {
            throw invalid("line %d: something stands behind the end of the document".formatted(line(parser)));
        }
    }

    /** Reads the value at the parser's position, and moves the parser to its end. */
    private static @Nullable Object tree(JsonParser parser, Form form) throws IOException {
        if (form == Form.PLAIN) {
            return value(parser, form);
        }
        var line = line(parser);
        return new LocatedJson(value(parser, form), line);
    }

    private static @Nullable Object value(JsonParser parser, Form form) throws IOException {
        var token = parser.currentToken();
        if (token == null) {
            throw invalid("the document is empty");
        }
        return switch (token) {
            case START_OBJECT -> members(parser, form);
            case START_ARRAY -> elements(parser, form);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> form.number(number(parser));
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw invalid("line " + line(parser) + ": unexpected " + token);
        };
    }

    /**
     * The number at the parser's position. Its exponent after one digit is in range, so the number has a canonical
     * form.
     */
    private static BigDecimal number(JsonParser parser) throws IOException {
        var text = parser.getText();
        try {
            var number = new BigDecimal(text);
            var unused = Math.toIntExact((long) number.precision() - 1 - number.scale());
            return number;
        } catch (ArithmeticException | NumberFormatException outOfRange) {
            throw invalid("line %d: the number %s is out of the range of Java's BigDecimal"
                    .formatted(line(parser), cut(text)));
        }
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static Map<String, @Nullable Object> members(JsonParser parser, Form form) throws IOException {
        var members = new LinkedHashMap<String, @Nullable Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            members.put(name, tree(parser, form));
        }
        return members;
    }

    private static List<@Nullable Object> elements(JsonParser parser, Form form) throws IOException {
        var elements = new ArrayList<@Nullable Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(tree(parser, form));
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

    /** The text, cut for a message. */
    static String cut(String json) {
        return json.length() <= 40 ? json : json.substring(0, 40) + "…";
    }

    /** The form of a tree that is read. */
    private enum Form {
        /** A {@link LocatedJson} for each value, with its line. */
        NODES,
        /** Maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. */
        PLAIN;

        /** Every integer with this number of digits fits into a {@code long}. */
        private static final int LONGEST_LONG = 18;

        private Object number(BigDecimal number) {
            var isLong = this == PLAIN && number.scale() == 0 && number.precision() <= LONGEST_LONG;
            return isLong ? (Object) number.longValueExact() : number;
        }
    }

    /** Translates the parser's messages into messages for people who write JSON. */
    private static final class SyntaxWords {
        private static final Pattern PLACE = Pattern.compile("\\[Source: [^\\]]*line: (\\d+), column: (\\d+)]");
        private static final Map<Pattern, String> WORDS = words();

        private SyntaxWords() {}

        /** The message for a message of the parser; an unknown one stays, without names of the parser's classes. */
        static String of(String said) {
            var words = PLACE.matcher(said).replaceAll("line $1, column $2");
            for (var each : WORDS.entrySet()) {
                words = each.getKey().matcher(words).replaceAll(each.getValue());
            }
            return words;
        }

        /** The replacements, in the order in which they are applied. */
        private static Map<Pattern, String> words() {
            var words = new LinkedHashMap<Pattern, String>();
            put(words, " \\(code 65279[^)]*\\)\\): .*", "): a byte order mark stands there; save the file without one");
            put(words, " \\(code \\d+[^)]*\\)(?=\\))", "");
            put(words, "^Unexpected character \\((.*?)\\)( in numeric value)?: ", "unexpected $1: ");
            put(words, "^unexpected '\uFEFF'\\)?", "unexpected character");
            put(words, "expected a (valid )?value( \\(JSON String.*)?$", "a value is missing or not in quotes");
            put(words, "^Unrecognized token ('.*?'): .*", "$1 is no value; put texts in double quotes");
            put(words, "^Non-standard token ('.*?'): .*", "$1 is no value");
            put(words, "was expecting double-quote to start field name", "a key in double quotes should stand there");
            put(words, "was expecting a colon.*", "a colon should stand between a key and its value");
            put(words, "was expecting comma to separate \\w+ entries", "a comma is missing before it");
            put(words, "^Duplicate field ('.*')", "the key $1 stands there twice");
            put(
                    words,
                    "^Unexpected end-of-input: expected close marker for (\\w+) \\(start marker at (.*?)\\)",
                    "the document ends, but what begins at $2 is not closed");
            put(words, "^Unexpected end-of-input: was expecting closing quote.*", "the text has no closing quote");
            put(words, "^Unexpected end-of-input.*", "the document ends too early");
            put(
                    words,
                    "^Unexpected close marker ('.'): expected ('.') \\(for \\w+ starting at (.*?)\\)",
                    "found $1 but $2 should close what begins at $3");
            put(words, "^Unexpected close marker ('.'): .*", "$1 closes nothing");
            put(
                    words,
                    "^Illegal unquoted character .*code 10\\).*",
                    "the text has no closing quote before the line ends");
            put(
                    words,
                    "^Illegal unquoted character .*code (\\d+)\\).*",
                    "a text holds the control character $1; write it as \\\\u and four digits");
            put(words, "^Unrecognized character escape (\\S+).*", "there is no escape of a backslash and $1");
            put(words, "JSON spec does not allow numbers to have plus signs.*", "numbers have no plus sign");
            put(words, ", from `[^`]*`\\)", ")");
            put(words, ":? enable `[^`]*`.*", "");
            return words;
        }

        private static void put(Map<Pattern, String> words, String said, String better) {
            words.put(Pattern.compile(said, Pattern.DOTALL), better);
        }
    }
}

package io.mcpbridge.internal.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON as maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. */
final class PlainValues {
    /** A {@code long} has room for each integer of so many digits. */
    private static final int LONGEST_LONG = 18;

    private PlainValues() {}

    /** The value at which the parser stands, and after which it stands then. */
    static @Nullable Object read(JsonParser parser) throws IOException {
        var token = parser.currentToken();
        if (token == null) {
            throw Json.empty();
        }
        return switch (token) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> elements(parser);
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(Json.number(parser));
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw Json.unexpected(parser);
        };
    }

    private static Map<String, @Nullable Object> members(JsonParser parser) throws IOException {
        var members = new LinkedHashMap<String, @Nullable Object>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var name = parser.currentName();
            parser.nextToken();
            members.put(name, read(parser));
        }
        return members;
    }

    private static List<@Nullable Object> elements(JsonParser parser) throws IOException {
        var elements = new ArrayList<@Nullable Object>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(parser));
        }
        return elements;
    }

    private static Object number(BigDecimal number) {
        var isLong = number.scale() == 0 && number.precision() <= LONGEST_LONG;
        return isLong ? (Object) number.longValueExact() : number;
    }
}

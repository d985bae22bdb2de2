package io.mcpbridge.tool;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON objects as plain Java values: maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans and nulls. */
public final class JsonObject {

    private JsonObject() {}

    /**
     * Reads an object, such as the arguments of a tool.
     *
     * @throws ProtocolException if it is not JSON or not an object; the message names line and column
     */
    public static Map<String, @Nullable Object> parse(String json) {
        if (!(Json.readPlain(json) instanceof Map<?, ?> members)) {
            throw ProtocolException.malformed(ErrorCode.INVALID_PARAMS, "it is JSON, but not an object");
        }
        var named = new LinkedHashMap<String, @Nullable Object>();
        members.forEach((key, value) -> named.put(String.valueOf(key), value));
        return named;
    }

    /** Writes maps, lists, strings, finite numbers, booleans and nulls. */
    public static String write(Map<String, ?> members) {
        return Json.write(members);
    }
}

package io.mcpbridge.serve.schema;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaIssue;
import io.mcpbridge.tool.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call, which fit its tool.
 *
 * @param json as they came
 * @param values the same as plain values
 */
public record Arguments(String json, Map<String, @Nullable Object> values) {

    /**
     * Reads and checks them.
     *
     * @throws UnfitException with everything that is wrong
     */
    public static Arguments read(String json, SchemaCheck check) {
        Map<String, @Nullable Object> values;
        try {
            values = JsonObject.parse(json);
        } catch (ProtocolException unreadable) {
            throw new UnfitException(List.of(new SchemaIssue(
                    "", "the arguments cannot be read: " + unreadable.failure().message())));
        }
        var issues = check.issues(json);
        if (!issues.isEmpty()) {
            throw new UnfitException(issues);
        }
        return new Arguments(json, values);
    }
}

package io.mcpbridge.serve;

import io.mcpbridge.tool.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user did with a form.
 *
 * @param action {@code accept}, {@code decline} or {@code cancel}
 * @param content what was filled in; empty unless it was accepted
 */
public record Elicited(String action, Map<String, @Nullable Object> content) {

    static Elicited read(String result) {
        var members = JsonObject.parse(result);
        var content = new LinkedHashMap<String, @Nullable Object>();
        if (members.get("content") instanceof Map<?, ?> filled) {
            filled.forEach((key, value) -> content.put(String.valueOf(key), value));
        }
        return new Elicited(String.valueOf(members.get("action")), content);
    }

    /** Whether the user agreed. */
    public boolean isAccepted() {
        return action.equals("accept");
    }
}

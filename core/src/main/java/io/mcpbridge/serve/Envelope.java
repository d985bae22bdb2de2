package io.mcpbridge.serve;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.serve.schema.PlainForm;
import io.mcpbridge.spi.SchemaIssue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The one form of all results: as {@code structuredContent}, and as a text for clients that know no such thing. */
final class Envelope {
    static final String SCHEMA_FAILED = "schema validation failed";

    private Envelope() {}

    /**
     * The result of a call that worked.
     *
     * @throws IllegalArgumentException if {@code data} cannot be written as JSON
     */
    static String ok(@Nullable Object data) {
        return result("{\"ok\":true,\"data\":" + Json.write(PlainForm.of(data)) + "}", false);
    }

    /** The result of a call whose arguments do not fit. */
    static String invalid(List<SchemaIssue> issues) {
        var listed = issues.stream().map(PlainForm::of).toList();
        return error("INVALID_PARAMS", SCHEMA_FAILED, Map.of("issues", listed));
    }

    /** The result of a call that failed. */
    static String failed(String message) {
        return error("HANDLER_ERROR", message, Map.of());
    }

    /** The result of a call that failed with a code of ours, which tells programs more than the words do. */
    static String failed(Failure failure) {
        var details = new LinkedHashMap<String, Object>();
        details.put("code", failure.code().name());
        details.put("retryable", failure.retryable());
        return error("HANDLER_ERROR", failure.message(), details);
    }

    private static String error(String code, String message, Map<String, ?> details) {
        var error = new LinkedHashMap<String, Object>();
        error.put("code", code);
        error.put("message", message);
        if (!details.isEmpty()) {
            error.put("details", details);
        }
        return result("{\"ok\":false,\"error\":" + Json.write(error) + "}", true);
    }

    private static String result(String envelope, boolean isError) {
        return "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":%s,\"isError\":%s}"
                .formatted(JsonText.quote(envelope), envelope, isError);
    }
}

package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The values that a server proposes for an argument.
 *
 * @param values at most a hundred, best first
 * @param total the number of all values, if the server reports it
 * @param hasMore whether there are more values than these
 * @param json the whole result
 */
public record CompletionResult(List<String> values, OptionalLong total, boolean hasMore, Json json) {
    public CompletionResult {
        values = List.copyOf(values);
    }

    /**
     * Reads the {@code result} of {@code completion/complete}. Skips values that are not strings.
     *
     * @throws ProtocolException if it is not an object
     */
    public static CompletionResult parse(String json) {
        var result = Json.parse(json);
        if (!(result.value() instanceof Map<?, ?>)) {
            throw ProtocolException.upstreamInvalid("the result of 'completion/complete' must be an object");
        }
        var completion = result.member("completion").orElse(Json.ofChecked("{}"));
        var values = completion.list("values").stream()
                .flatMap(each -> each.asString().stream())
                .toList();
        return new CompletionResult(values, completion.longNumber("total"), completion.flag("hasMore"), result);
    }

    /**
     * The prompt or resource template whose argument is to be completed.
     *
     * @param json in the form of the protocol
     */
    public record Reference(Json json) {

        /** Refers to a prompt by its name. */
        public static Reference toPrompt(String name) {
            return new Reference(Json.of(Map.of("type", "ref/prompt", "name", name)));
        }

        /** Refers to a resource template by its URI template. */
        public static Reference toResourceTemplate(String uriTemplate) {
            return new Reference(Json.of(Map.of("type", "ref/resource", "uri", uriTemplate)));
        }
    }
}

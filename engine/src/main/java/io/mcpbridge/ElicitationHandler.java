package io.mcpbridge;

import io.mcpbridge.tool.Json;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers servers that ask the user for input.
 *
 * <p>A handler may block. It runs on a worker thread, which is interrupted when the server or the call no longer needs
 * the answer.
 */
@FunctionalInterface
public interface ElicitationHandler {

    /**
     * Answers one request of a server.
     *
     * @throws Exception if the handler has no answer; the bridge logs the exception, and the server learns only that
     *     the client has no answer
     */
    ElicitResult elicit(ElicitRequest request) throws Exception;

    /** Whether it also answers requests that send the user to a URL, beside those with a form. */
    default boolean acceptsUrls() {
        return false;
    }

    /**
     * A request for input of the user.
     *
     * @param server the configured name of the server; for a connection, the name that messages use
     * @param json the params of {@code elicitation/create}
     */
    record ElicitRequest(String server, Json json) {

        /** The question to show to the user; empty if the server sent none. */
        public String message() {
            return json.member("message").flatMap(Json::asString).orElse("");
        }

        /** The JSON Schema of the form; empty for a request that sends the user to a URL. */
        public Optional<Json> requestedSchema() {
            return json.member("requestedSchema");
        }

        /** The page that the user has to visit; empty for a form, or if the server sent no valid URL. */
        public Optional<URI> url() {
            return json.member("url").flatMap(Json::asString).flatMap(ElicitRequest::uri);
        }

        private static Optional<URI> uri(String text) {
            try {
                return Optional.of(URI.create(text));
            } catch (IllegalArgumentException notUri) {
                return Optional.empty();
            }
        }
    }

    /**
     * The answer of the user.
     *
     * @param json the result of {@code elicitation/create}
     */
    record ElicitResult(Json json) {

        /**
         * The user filled in the form.
         *
         * @param values strings, numbers, booleans and lists of strings, by the names of the form's fields
         */
        public static ElicitResult accept(Map<String, ?> values) {
            var content = Json.of(values).text();
            return new ElicitResult(Json.ofChecked("{\"action\":\"accept\",\"content\":" + content + "}"));
        }

        /** The user agreed to visit the URL. */
        public static ElicitResult accept() {
            return of("accept");
        }

        /** The user refused. */
        public static ElicitResult decline() {
            return of("decline");
        }

        /** The user closed the question without an answer. */
        public static ElicitResult cancel() {
            return of("cancel");
        }

        /** {@code accept}, {@code decline} or {@code cancel}. */
        public String action() {
            return json.member("action").flatMap(Json::asString).orElse("");
        }

        /** Whether the user filled in the form, or agreed to visit the URL. */
        public boolean isAccepted() {
            return action().equals("accept");
        }

        /** The values of the form's fields; empty unless the user filled in the form. */
        public Map<String, @Nullable Object> content() {
            return json.member("content")
                    .filter(content -> content.text().startsWith("{"))
                    .map(Json::asMap)
                    .orElse(Map.of());
        }

        private static ElicitResult of(String action) {
            return new ElicitResult(Json.of(Map.of("action", action)));
        }
    }
}

package io.mcpbridge;

import io.mcpbridge.message.NumberText;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * Answers servers that ask for a message of a language model.
 *
 * <p>A handler may block. It runs on a worker thread, which is interrupted when the server or the call no longer needs
 * the answer.
 */
@FunctionalInterface
public interface SamplingHandler {

    /**
     * Answers one request of a server.
     *
     * @throws Exception if the handler has no answer; the bridge logs the exception, and the server learns only that
     *     the client has no answer
     */
    CreateMessageResult createMessage(CreateMessageRequest request) throws Exception;

    /**
     * A request for a message of a language model.
     *
     * @param server the configured name of the server; for a connection, the name that messages use
     * @param json the params of {@code sampling/createMessage}, which may have more members than the methods here
     *     return
     */
    record CreateMessageRequest(String server, Json json) {

        /** The conversation so far. */
        public List<SamplingMessage> messages() {
            return json.member("messages").map(Json::elements).orElse(List.of()).stream()
                    .map(SamplingMessage::of)
                    .toList();
        }

        public Optional<String> systemPrompt() {
            return json.member("systemPrompt").flatMap(Json::asString);
        }

        /** The most tokens that the server wants; empty if it sent no such number. */
        public OptionalInt maxTokens() {
            var number = json.member("maxTokens").flatMap(raw -> NumberText.readInt(raw.text()));
            return number.isPresent() ? OptionalInt.of(number.get()) : OptionalInt.empty();
        }
    }

    /**
     * One message of a conversation with a language model.
     *
     * @param role {@code user} or {@code assistant}
     * @param content in the server's order; one block in most messages
     */
    record SamplingMessage(String role, List<Content> content) {
        public SamplingMessage {
            content = List.copyOf(content);
        }

        private static SamplingMessage of(Json json) {
            var role = json.member("role").flatMap(Json::asString).orElse("");
            return new SamplingMessage(
                    role, json.member("content").map(Content::listFrom).orElse(List.of()));
        }

        /** The text blocks, joined by line ends. */
        public String text() {
            return content.stream()
                    .filter(Content.Text.class::isInstance)
                    .map(block -> ((Content.Text) block).text())
                    .collect(Collectors.joining("\n"));
        }
    }

    /**
     * A message of a language model.
     *
     * @param json the result of {@code sampling/createMessage}
     */
    record CreateMessageResult(Json json) {

        /**
         * A message of the role {@code assistant} with the stop reason {@code endTurn}.
         *
         * @param model the name of the model that wrote it
         */
        public static CreateMessageResult of(String model, Content content) {
            return of(model, "assistant", content, "endTurn");
        }

        /**
         * A message of a role.
         *
         * @param model the name of the model that wrote it
         * @param stopReason why the model stopped, such as {@code endTurn} or {@code maxTokens}
         */
        public static CreateMessageResult of(String model, String role, Content content, String stopReason) {
            var members = new LinkedHashMap<String, Object>();
            members.put("role", role);
            members.put("content", content.json().asMap());
            members.put("model", model);
            members.put("stopReason", stopReason);
            return new CreateMessageResult(Json.of(members));
        }

        public SamplingMessage message() {
            return SamplingMessage.of(json);
        }

        /** The name of the model that wrote it; empty if the client sent none. */
        public String model() {
            return json.member("model").flatMap(Json::asString).orElse("");
        }
    }
}

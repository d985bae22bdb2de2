package io.mcpbridge.agents;

import io.mcpbridge.agents.HttpModelClient.Endpoint;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The API of a language model: how it writes requests, tools, tool calls and their results. */
@SuppressWarnings("ImmutableEnumChecker") // The formats have no state, and the maps of headers are immutable.
public enum ModelFormat {
    /** OpenAI Chat Completions, which most other providers and local servers understand too. */
    OPENAI("openai", new OpenAiChatFormat(), Endpoint.ofOpenAi("/chat/completions")),
    /** OpenAI Responses. */
    OPENAI_RESPONSES("openai-responses", new OpenAiResponsesFormat(), Endpoint.ofOpenAi("/responses")),
    /** Anthropic Messages. */
    ANTHROPIC(
            "anthropic",
            new AnthropicFormat(),
            new Endpoint(
                    "ANTHROPIC",
                    "https://api.anthropic.com",
                    "/v1/messages",
                    Map.of("x-api-key", "%s", "anthropic-version", "2023-06-01"))),
    /** Gemini {@code generateContent}. */
    GEMINI(
            "gemini",
            new GeminiFormat(),
            new Endpoint(
                    "GEMINI",
                    "https://generativelanguage.googleapis.com/v1beta",
                    "/models/%s:generateContent",
                    Map.of("x-goog-api-key", "%s")));

    private final String word;
    private final MessageFormat messages;
    private final Endpoint endpoint;

    ModelFormat(String word, MessageFormat messages, Endpoint endpoint) {
        this.word = word;
        this.messages = messages;
        this.endpoint = endpoint;
    }

    /** The name in configuration and on the command line, such as {@code openai-responses}. */
    public String word() {
        return word;
    }

    /** The format with this name. */
    static Optional<ModelFormat> named(String word) {
        return Stream.of(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    MessageFormat messages() {
        return messages;
    }

    Endpoint endpoint() {
        return endpoint;
    }
}

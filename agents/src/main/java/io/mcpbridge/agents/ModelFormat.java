package io.mcpbridge.agents;

import java.util.Optional;
import java.util.stream.Stream;

/** The API of a language model: how it writes requests, tools, tool calls and their results. */
public enum ModelFormat {
    /** OpenAI Chat Completions, which most other providers and local servers understand too. */
    OPENAI("openai"),
    /** OpenAI Responses. */
    OPENAI_RESPONSES("openai-responses"),
    /** Anthropic Messages. */
    ANTHROPIC("anthropic"),
    /** Gemini {@code generateContent}. */
    GEMINI("gemini");

    private final String word;

    ModelFormat(String word) {
        this.word = word;
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
        return switch (this) {
            case OPENAI -> new OpenAiChatFormat();
            case OPENAI_RESPONSES -> new OpenAiResponsesFormat();
            case ANTHROPIC -> new AnthropicFormat();
            case GEMINI -> new GeminiFormat();
        };
    }
}

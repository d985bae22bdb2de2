package io.mcpbridge.agents;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The provider of a model: the format of its API, and the client that sends requests to it.
 *
 * @param format how requests and responses are written
 * @param client sends them
 */
public record ModelProvider(ModelFormat format, ModelClient client) {

    /**
     * A provider over HTTP, with the JDK's client. It repeats a request after 429, 408 and 5xx, up to three times and within
     * the time of the agent.
     *
     * @param base the URL before the path of the API, such as {@code https://api.openai.com/v1}
     * @param key the API key; empty for a server that wants none
     * @throws ConfigurationException if the URL is not one of HTTP
     */
    public static ModelProvider overHttp(ModelFormat format, URI base, Secret key) {
        return new ModelProvider(format, new HttpModelClient(format, base, key, "check the API key"));
    }

    /**
     * A provider of the environment of this process, such as {@code openai}; see {@link #named(String, Settings, Map)}.
     *
     * @throws ConfigurationException if there is no such provider or no key
     */
    public static ModelProvider named(String name) {
        return named(name, Settings.of(Map.of()), System.getenv());
    }

    /**
     * A provider of the configuration or of the environment. Without a section of its own, {@code openai}, {@code
     * openai-responses}, {@code anthropic} and {@code gemini} are the public APIs; {@code OPENAI_API_KEY}, {@code
     * ANTHROPIC_API_KEY} or {@code GEMINI_API_KEY} has the key, and {@code OPENAI_BASE_URL} and so on may have another URL.
     *
     * @param models the sections of providers by name, each with {@code api}, {@code url} and {@code key-variable}
     * @throws ConfigurationException if there is no such provider or no key, or a setting is wrong
     */
    public static ModelProvider named(String name, Settings models, Map<String, String> variables) {
        var usual = ModelFormat.named(name);
        if (!models.has(name)) {
            return of(usual.orElseThrow(() -> unknown(name, models)), Optional.empty(), Optional.empty(), variables);
        }
        var section = models.section(name);
        var words = "one of "
                + Stream.of(ModelFormat.values()).map(ModelFormat::word).toList();
        var format = section.choice("api", ModelFormat.values(), ModelFormat::word, words)
                .or(() -> usual);
        var url = section.text("url");
        var variable = section.text("key-variable");
        section.require(format.isPresent(), "api", words);
        return section.finish(() -> of(format.orElse(ModelFormat.OPENAI), url, variable, variables));
    }

    private static ConfigurationException unknown(String name, Settings models) {
        var names = Stream.concat(
                        models.keys().stream(), Stream.of(ModelFormat.values()).map(ModelFormat::word))
                .distinct()
                .toList();
        return ConfigurationException.of(
                "there is no provider of models '%s'; add it to 'models', or use one of %s".formatted(name, names));
    }

    private static ModelProvider of(
            ModelFormat format, Optional<String> url, Optional<String> variable, Map<String, String> variables) {
        var usual = format.endpoint();
        var base = url.or(() -> Optional.ofNullable(variables.get(usual.prefix() + "_BASE_URL")));
        var keyVariable = variable.orElse(usual.prefix() + "_API_KEY");
        var key = Optional.ofNullable(variables.get(keyVariable)).filter(value -> !value.isBlank());
        // A server of one's own may want no key; a key for another server must not reach it.
        var mayLack = url.isPresent() && variable.isEmpty();
        if (key.isEmpty() && !mayLack) {
            throw ConfigurationException.of(
                    "there is no key for the model API; set the environment variable '%s'".formatted(keyVariable));
        }
        var sent = mayLack ? Optional.<String>empty() : key;
        var advice = mayLack
                ? "check the API key: none is sent; name its environment variable in 'key-variable' of the provider"
                : "check the API key in %s".formatted(keyVariable);
        var address = uri(base.orElse(usual.base()));
        return new ModelProvider(
                format,
                new HttpModelClient(format, address, Secret.of(sent.orElse("").strip()), advice));
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException wrong) {
            throw ConfigurationException.of(
                    "the base URL of the model API is '%s' but must be a URL, such as https://api.openai.com/v1"
                            .formatted(Secret.hiddenIn(text)));
        }
    }
}

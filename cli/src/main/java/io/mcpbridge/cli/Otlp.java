package io.mcpbridge.cli;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.upstream.introduction.Identity;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The OpenTelemetry of this process, which sends spans and metrics to a collector. Only where that is asked for is any
 * class of OpenTelemetry loaded.
 */
final class Otlp {
    /** How long the end of the process may be held up by a collector that does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Pattern WORD = Pattern.compile("\\S+");

    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
    private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");

    /** What holds where neither the environment nor the command line says otherwise. */
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.exporter.otlp.protocol", "http/protobuf", "otel.logs.exporter", "none");

    private final OpenTelemetrySdk sdk;

    private Otlp(OpenTelemetrySdk sdk) {
        this.sdk = sdk;
    }

    /**
     * Begins as the {@code OTEL_*} variables say.
     *
     * @param endpoint where the collector is, which goes before them; empty where they say it
     * @return sends what is left, and ends it
     * @throws ConfigurationException if they or the endpoint make no sense, or somebody else has set another one
     */
    static Runnable begin(String endpoint) {
        var asked = endpoint.isEmpty() ? Map.<String, String>of() : Map.of("otel.exporter.otlp.endpoint", endpoint);
        try {
            var made = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(said -> asked)
                    .addResourceCustomizer((resource, said) -> named(resource))
                    .disableShutdownHook()
                    .setResultAsGlobal()
                    .build();
            return new Otlp(made.getOpenTelemetrySdk())::end;
        } catch (RuntimeException wrong) {
            throw ConfigurationException.of(
                    "'--otlp%s' cannot be set up: %s; it takes the URL of a collector, such as http://localhost:4318, or none where OTEL_EXPORTER_OTLP_ENDPOINT names it"
                            .formatted(
                                    endpoint.isEmpty() ? "" : "=" + Secret.hiddenIn(endpoint), words(wrong, endpoint)));
        }
    }

    /** What is wrong, in words of others, who may quote an endpoint with its password. */
    private static String words(RuntimeException wrong, String endpoint) {
        var words = String.valueOf(wrong.getMessage());
        var shown = endpoint.isEmpty() ? words : words.replace(endpoint, Secret.hiddenIn(endpoint));
        return WORD.matcher(shown).replaceAll(word -> Matcher.quoteReplacement(Secret.hiddenIn(word.group())));
    }

    private static Resource named(Resource resource) {
        var said = String.valueOf(resource.getAttribute(SERVICE));
        if (!said.startsWith("unknown_service")) {
            return resource;
        }
        return resource.merge(Resource.builder()
                .put(SERVICE, "mcp-bridge")
                .put(VERSION, Identity.OURS.version())
                .build());
    }

    /** On a thread that does not keep the process alive, since parts of it wait for the collector longer than we do. */
    private void end() {
        var sending = new Thread(() -> sdk.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS), "otlp-end");
        sending.setDaemon(true);
        sending.start();
        try {
            sending.join(PATIENCE.toMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}

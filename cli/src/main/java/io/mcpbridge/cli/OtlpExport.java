package io.mcpbridge.cli;

import io.mcpbridge.engine.BridgeVersion;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Secret;
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
 * Exports spans and metrics of this process to an OpenTelemetry collector. Without {@code --otlp}, no class of
 * OpenTelemetry is loaded.
 */
final class OtlpExport {
    /** The time that an unresponsive collector may delay the end of the process. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    private static final Pattern WORD = Pattern.compile("\\S+");

    private static final AttributeKey<String> SERVICE = AttributeKey.stringKey("service.name");
    private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");

    /** Defaults, overridden by the environment and the command line. */
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.exporter.otlp.protocol", "http/protobuf", "otel.logs.exporter", "none");

    private OtlpExport() {}

    /**
     * Starts the export as configured by the {@code OTEL_*} variables.
     *
     * @param endpoint the address of the collector, which overrides the variables; empty to use them
     * @return flushes and ends the export
     * @throws ConfigurationException if a variable or the endpoint is wrong, or the process already has a global
     *     OpenTelemetry
     */
    static Runnable start(String endpoint) {
        var asked = endpoint.isEmpty() ? Map.<String, String>of() : Map.of("otel.exporter.otlp.endpoint", endpoint);
        try {
            var sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .addPropertiesSupplier(() -> DEFAULTS)
                    .addPropertiesCustomizer(said -> asked)
                    .addResourceCustomizer((resource, said) -> named(resource))
                    .disableShutdownHook()
                    .setResultAsGlobal()
                    .build()
                    .getOpenTelemetrySdk();
            return () -> end(sdk);
        } catch (RuntimeException wrong) {
            throw ConfigurationException.of(
                    "'--otlp%s' cannot be set up: %s; it takes the URL of a collector, such as http://localhost:4318, or no value if OTEL_EXPORTER_OTLP_ENDPOINT names it"
                            .formatted(
                                    endpoint.isEmpty() ? "" : "=" + Secret.hiddenIn(endpoint),
                                    redactedMessage(wrong, endpoint)));
        }
    }

    /** The message of the exception, which may quote an endpoint with its password. */
    private static String redactedMessage(RuntimeException wrong, String endpoint) {
        var message = String.valueOf(wrong.getMessage());
        var shown = endpoint.isEmpty() ? message : message.replace(endpoint, Secret.hiddenIn(endpoint));
        return WORD.matcher(shown).replaceAll(word -> Matcher.quoteReplacement(Secret.hiddenIn(word.group())));
    }

    private static Resource named(Resource resource) {
        var said = String.valueOf(resource.getAttribute(SERVICE));
        if (!said.startsWith("unknown_service")) {
            return resource;
        }
        return resource.merge(Resource.builder()
                .put(SERVICE, "mcp-bridge")
                .put(VERSION, BridgeVersion.CURRENT)
                .build());
    }

    /** Runs on a daemon thread, because parts of the SDK wait longer for the collector than we do. */
    private static void end(OpenTelemetrySdk sdk) {
        var sending =
                new Thread(() -> sdk.shutdown().join(SHUTDOWN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS), "otlp-end");
        sending.setDaemon(true);
        sending.start();
        try {
            sending.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}

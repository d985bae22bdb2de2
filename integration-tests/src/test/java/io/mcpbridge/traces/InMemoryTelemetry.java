package io.mcpbridge.traces;

import io.mcpbridge.telemetry.OpenTelemetryObserver;
import io.mcpbridge.telemetry.TelemetrySettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** An OpenTelemetry that keeps what it receives. */
final class InMemoryTelemetry implements AutoCloseable {
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(metrics).build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final OpenTelemetryObserver observer = OpenTelemetryObserver.of(sdk, TelemetrySettings.DEFAULTS);

    OpenTelemetryObserver observer() {
        return observer;
    }

    /** The one span of this kind with this name that fits, as soon as it has ended. */
    SpanData span(SpanKind kind, String name, Predicate<SpanData> fits) {
        return Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(
                        () -> spans.getFinishedSpanItems().stream()
                                .filter(span ->
                                        span.getKind() == kind && span.getName().equals(name) && fits.test(span))
                                .toList(),
                        found -> found.size() == 1)
                .get(0);
    }

    SpanData span(SpanKind kind, String name) {
        return span(kind, name, span -> true);
    }

    /** What was measured under this name so far. */
    List<HistogramPointData> histogram(String name) {
        return metrics.collectAllMetrics().stream()
                .filter(metric -> metric.getName().equals(name))
                .flatMap(metric -> metric.getHistogramData().getPoints().stream())
                .toList();
    }

    static String attribute(SpanData span, String key) {
        return span.getAttributes().asMap().entrySet().stream()
                .filter(entry -> entry.getKey().getKey().equals(key))
                .map(entry -> String.valueOf(entry.getValue()))
                .findFirst()
                .orElse("");
    }

    static String attribute(HistogramPointData point, String key) {
        return String.valueOf(point.getAttributes().get(AttributeKey.stringKey(key)));
    }

    @Override
    public void close() {
        sdk.close();
    }
}

package io.mcpbridge.telemetry;

import io.mcpbridge.spi.Reading;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The readings of the servers of one bridge, as gauges. A reading without a gauge of its own, such as that of a
 * third-party stage, goes to {@code mcpbridge.reading} with its name as an attribute.
 */
final class Gauges implements AutoCloseable {

    private record Gauge(String name, String unit, String description) {}

    private static final Gauge UNKNOWN =
            new Gauge("mcpbridge.reading", "1", "Readings of stages that are not built in.");

    private static final Map<String, Gauge> KNOWN = Map.ofEntries(
            known("breaker.state", "1", "0 closed, 0.5 half-open, 1 open"),
            Map.entry(
                    "retry.budget",
                    new Gauge("mcpbridge.retry.budget.tokens", "1", "Retries that the budget still allows")),
            known("connection.state", "1", "0 idle, 1 connecting, 2 healthy, 3 degraded, 4 unavailable"),
            known("connection.calls", "{call}", "Calls that were sent and have no outcome yet"),
            known("connection.opened", "{session}", "Sessions that were opened"),
            known("connection.dropped", "{message}", "Messages of the server that belong to no call"),
            known("concurrency.under-way", "{call}", "Attempts in progress"),
            known("concurrency.waiting", "{call}", "Attempts that wait for the limit"),
            known("rate-limit.waiting", "{call}", "Calls that wait for the rate limit"),
            known("cache.entries", "{answer}", "Cached responses"),
            known("cache.bytes", "By", "Size of the cached responses"),
            known("cache.hits", "{call}", "Calls answered from the cache"),
            known("repeats.calls", "{call}", "Calls with an idempotency key that are remembered"),
            known("repeats.bytes", "By", "Size of the outcomes of these calls"),
            known("coalescing.under-way", "{call}", "Calls that others may join"),
            known("coalescing.joined", "{call}", "Calls that joined another one"));

    private final Supplier<Map<String, List<Reading>>> servers;
    private final Map<Gauge, ObservableDoubleMeasurement> measurements = new LinkedHashMap<>();
    private final BatchCallback callback;

    private Gauges(Meter meter, Supplier<Map<String, List<Reading>>> servers) {
        this.servers = servers;
        var gauges = new ArrayList<>(KNOWN.values());
        gauges.add(UNKNOWN);
        gauges.forEach(gauge -> measurements.put(gauge, observer(meter, gauge)));
        var all = measurements.values().toArray(ObservableDoubleMeasurement[]::new);
        this.callback = meter.batchCallback(this::observe, observer(meter, UNKNOWN), all);
    }

    static Gauges begin(Meter meter, Supplier<Map<String, List<Reading>>> servers) {
        return new Gauges(meter, servers);
    }

    private static Map.Entry<String, Gauge> known(String reading, String unit, String description) {
        return Map.entry(reading, new Gauge("mcpbridge." + reading.replace('-', '_'), unit, description));
    }

    private static ObservableDoubleMeasurement observer(Meter meter, Gauge gauge) {
        return meter.gaugeBuilder(gauge.name)
                .setUnit(gauge.unit)
                .setDescription(gauge.description)
                .buildObserver();
    }

    private void observe() {
        servers.get().forEach((server, readings) -> readings.forEach(reading -> observe(server, reading)));
    }

    private void observe(String server, Reading reading) {
        var gauge = KNOWN.getOrDefault(reading.name(), UNKNOWN);
        var attributes = Attributes.builder();
        if (!server.isEmpty()) {
            attributes.put(SemanticAttributes.SERVER, server);
        }
        if (gauge.equals(UNKNOWN)) {
            attributes.put(SemanticAttributes.READING, reading.name());
        }
        var measurement = measurements.get(gauge);
        if (measurement != null) {
            measurement.record(reading.value(), attributes.build());
        }
    }

    @Override
    public void close() {
        callback.close();
    }
}

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
 * What there is to see of the servers of one bridge, as gauges. A reading that is not known here, as of a stage of
 * somebody else, is told by {@code mcpbridge.reading} with its name as an attribute.
 */
final class Gauges implements AutoCloseable {

    /** How a reading is told. */
    private record Gauge(String name, String unit, String description) {}

    private static final Gauge UNKNOWN = new Gauge("mcpbridge.reading", "1", "What stages of others show.");

    private static final Map<String, Gauge> KNOWN = Map.ofEntries(
            known("breaker.state", "1", "0 closed, 0.5 probing, 1 open"),
            Map.entry(
                    "retry.budget", new Gauge("mcpbridge.retry.budget.tokens", "1", "What is left to pay for retries")),
            known("connection.state", "1", "0 idle, 1 connecting, 2 healthy, 3 degraded, 4 unavailable"),
            known("connection.calls", "{call}", "Calls that were sent and have no outcome"),
            known("connection.opened", "{session}", "Sessions that were opened"),
            known("connection.dropped", "{message}", "Messages of the server that belonged to nobody"),
            known("concurrency.under-way", "{call}", "Attempts under way"),
            known("concurrency.waiting", "{call}", "Attempts that wait for a place"),
            known("rate-limit.waiting", "{call}", "Calls that wait for their turn"),
            known("cache.entries", "{answer}", "Answers that are kept"),
            known("cache.bytes", "By", "What the kept answers take"),
            known("cache.hits", "{call}", "Calls that were answered without the server"),
            known("repeats.calls", "{call}", "Calls with a key that are known, so that each runs once"),
            known("repeats.bytes", "By", "What the outcomes of these calls take"),
            known("coalescing.under-way", "{call}", "Calls that others may join"),
            known("coalescing.joined", "{call}", "Calls that needed none of their own"));

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
            attributes.put(Keys.SERVER, server);
        }
        if (gauge.equals(UNKNOWN)) {
            attributes.put(Keys.READING, reading.name());
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

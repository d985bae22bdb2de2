package io.mcpbridge.gateway;

import io.mcpbridge.engine.upstream.UpstreamStatus.Statistics;
import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.spi.Reading;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The measurements of one server, for operators; durations in whole microseconds.
 *
 * @param statistics how fast it answers, and how often it was lost
 * @param readings the values of its stages, such as breaker and retry budget
 */
public record ServerMetrics(Statistics statistics, List<Reading> readings) {
    static final ServerMetrics NONE = new ServerMetrics(Statistics.NONE, List.of());

    public ServerMetrics {
        var latency = statistics.latency();
        statistics = new Statistics(
                new LatencyStats.Snapshot(
                        latency.calls(), whole(latency.p50()), whole(latency.p95()), whole(latency.p99())),
                statistics.ping().map(ServerMetrics::whole),
                statistics.restarts());
        readings = List.copyOf(readings);
    }

    /** Adds the members of this object to {@code json}. */
    AdminJsonWriter.JsonObjectWriter write(AdminJsonWriter.JsonObjectWriter json) {
        var latency = statistics.latency();
        var shares = new AdminJsonWriter.JsonObjectWriter()
                .number("calls", latency.calls())
                .number("p50", micros(latency.p50()))
                .number("p95", micros(latency.p95()))
                .number("p99", micros(latency.p99()));
        json.number("restarts", statistics.restarts()).raw("latencyMicros", shares.json());
        statistics.ping().ifPresent(ping -> json.number("pingMicros", micros(ping)));
        return json.raw("readings", json(readings));
    }

    /** The readings of stages as a JSON object, by name. */
    static String json(List<Reading> readings) {
        var shown = new AdminJsonWriter.JsonObjectWriter();
        readings.forEach(reading -> shown.raw(
                reading.name(),
                new AdminJsonWriter.JsonObjectWriter()
                        .raw("value", Double.isFinite(reading.value()) ? Double.toString(reading.value()) : "0")
                        .text("words", reading.words())
                        .json()));
        return shown.json();
    }

    private static Duration whole(Duration span) {
        return span.truncatedTo(ChronoUnit.MICROS);
    }

    private static long micros(Duration span) {
        return span.toNanos() / 1_000;
    }
}

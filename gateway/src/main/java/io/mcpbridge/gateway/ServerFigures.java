package io.mcpbridge.gateway;

import io.mcpbridge.spi.Reading;
import io.mcpbridge.upstream.health.Latency;
import io.mcpbridge.upstream.health.Vitals;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What is measured of one server behind the daemon, for operators; spans in whole microseconds.
 *
 * @param vitals how fast it answers, and how often it was lost
 * @param readings what the stages before it show, such as its breaker and its budget for retries
 */
public record ServerFigures(Vitals vitals, List<Reading> readings) {
    static final ServerFigures NONE = new ServerFigures(Vitals.NONE, List.of());

    public ServerFigures {
        var latency = vitals.latency();
        vitals = new Vitals(
                new Latency(latency.calls(), whole(latency.half()), whole(latency.most()), whole(latency.nearlyAll())),
                vitals.ping().map(ServerFigures::whole),
                vitals.restarts());
        readings = List.copyOf(readings);
    }

    /** Adds the figures to what is written of the server. */
    JsonObject write(JsonObject json) {
        var latency = vitals.latency();
        var shares = new JsonObject()
                .number("calls", latency.calls())
                .number("p50", micros(latency.half()))
                .number("p95", micros(latency.most()))
                .number("p99", micros(latency.nearlyAll()));
        json.number("restarts", vitals.restarts()).raw("latencyMicros", shares.json());
        vitals.ping().ifPresent(ping -> json.number("pingMicros", micros(ping)));
        return json.raw("readings", json(readings));
    }

    /** What stages show, by their names. */
    static String json(List<Reading> readings) {
        var shown = new JsonObject();
        readings.forEach(reading -> shown.raw(
                reading.name(),
                new JsonObject()
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

package io.mcpbridge.gateway;

import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.upstream.health.Latency;
import io.mcpbridge.upstream.health.Vitals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads what the administrative socket tells of the figures of one server; what is absent keeps a default. */
final class FiguresReading {

    private FiguresReading() {}

    static ServerFigures of(Settings server) {
        var shares = server.section("latencyMicros");
        var latency = new Latency(
                shares.integer("calls", 0), micros(shares, "p50"), micros(shares, "p95"), micros(shares, "p99"));
        var ping = server.has("pingMicros") ? Optional.of(micros(server, "pingMicros")) : Optional.<Duration>empty();
        return new ServerFigures(
                new Vitals(latency, ping, server.integer("restarts", 0)), readings(server.sections("readings")));
    }

    /** What stages show, by their names. */
    static List<Reading> readings(Map<String, Settings> shown) {
        return shown.entrySet().stream()
                .map(entry -> new Reading(
                        entry.getKey(),
                        entry.getValue().number("value", 0),
                        entry.getValue().text("words", "")))
                .toList();
    }

    private static Duration micros(Settings section, String key) {
        return Duration.ofNanos(1_000L * section.integer(key, 0));
    }
}

package io.mcpbridge.engine.upstream.isolated;

import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.GaugeReading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a {@link SingleUseProcessPool} at one moment.
 *
 * @param idle processes that wait for a call
 * @param busy processes that have a call, or wait for its next round
 * @param size processes in all, with those that start or end
 * @param max how many there may be in all
 * @param waiting calls that wait for a process
 * @param started processes that were started so far
 * @param lastError why the last one could not be started, or ended by itself; empty if none did
 * @param lastErrorAt when that was
 * @param unready why no process is idle or busy, where that is due to their starts; otherwise empty
 * @param rejectsCalls whether calls of some kind are rejected because starts fail
 */
public record ProcessPoolStatus(
        int idle,
        int busy,
        int size,
        int max,
        int waiting,
        long started,
        String lastError,
        Instant lastErrorAt,
        String unready,
        boolean rejectsCalls) {

    /** Why calls are rejected though the server is connected: no process can be started. */
    public Optional<Outage> rejection() {
        return rejectsCalls
                ? Optional.of(new Outage("no process can be started for calls: " + lastError, lastErrorAt))
                : Optional.empty();
    }

    /** One sentence for operators. */
    public String text() {
        var figures = "calls of tools have a process each: %d ready, %d busy, at most %d, %d started so far"
                .formatted(idle, busy, max, started);
        return lastError.isEmpty() ? figures : figures + "; the last error: " + lastError;
    }

    /** The figures for operators and for telemetry. */
    public List<GaugeReading> readings() {
        return List.of(
                new GaugeReading("isolation.warm", idle, "%d processes ready for a call".formatted(idle)),
                new GaugeReading("isolation.busy", busy, "%d of at most %d".formatted(busy, max)),
                new GaugeReading("isolation.waiting", waiting, "%d calls wait for a process".formatted(waiting)),
                new GaugeReading(
                        "isolation.started",
                        started,
                        lastError.isEmpty() ? "%d so far".formatted(started) : "the last error: " + lastError));
    }
}

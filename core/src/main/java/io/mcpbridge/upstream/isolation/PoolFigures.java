package io.mcpbridge.upstream.isolation;

import io.mcpbridge.spi.Reading;
import java.util.List;

/**
 * How a pool is at one moment. Immutable.
 *
 * @param warm processes that are ready for a call
 * @param busy those that have one, or are kept for its next round
 * @param taken how many there are in all, those included that are being started or ended
 * @param max how many there may be in all
 * @param waiting calls that have none
 * @param started how many were started so far
 * @param lastError why the last one could not be started, or ended unasked; else the empty string
 * @param unready why no process is there for anybody, where that is due to starting them; else the empty string
 * @param isHopeless whether calls of some kind are refused at this moment, as starts are held off
 */
public record PoolFigures(
        int warm,
        int busy,
        int taken,
        int max,
        int waiting,
        long started,
        String lastError,
        String unready,
        boolean isHopeless) {

    /** The same in a sentence. */
    public String words() {
        var figures = "calls of tools have a process each: %d ready, %d busy, at most %d, %d started so far"
                .formatted(warm, busy, max, started);
        return lastError.isEmpty() ? figures : figures + "; the last error: " + lastError;
    }

    /** The same for operators and for telemetry. */
    public List<Reading> readings() {
        return List.of(
                new Reading("isolation.warm", warm, "%d processes ready for a call".formatted(warm)),
                new Reading("isolation.busy", busy, "%d of at most %d".formatted(busy, max)),
                new Reading("isolation.waiting", waiting, "%d calls wait for a process".formatted(waiting)),
                new Reading(
                        "isolation.started",
                        started,
                        lastError.isEmpty() ? "%d so far".formatted(started) : "the last error: " + lastError));
    }
}

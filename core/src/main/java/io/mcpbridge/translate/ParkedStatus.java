package io.mcpbridge.translate;

import java.time.Instant;
import java.util.Optional;

/**
 * How many calls wait for clients at one moment, for operators. Immutable.
 *
 * @param parked calls whose client was asked and has not come back
 * @param oldest since when the oldest of them is parked; empty if there is none
 * @param lapsed calls whose clients never came back, since the start
 */
public record ParkedStatus(int parked, Optional<Instant> oldest, long lapsed) {}

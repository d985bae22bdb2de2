package io.mcpbridge.spi;

import io.mcpbridge.call.Outcome;
import java.time.Duration;

/**
 * A tool call ends.
 *
 * @param correlationId the same as in the enter
 * @param tool the tool's name at its server
 * @param duration from enter to exit; zero for a call that never entered
 * @param outcome the answer or the failure
 */
public record ToolExit(String correlationId, String tool, Duration duration, Outcome outcome) {}

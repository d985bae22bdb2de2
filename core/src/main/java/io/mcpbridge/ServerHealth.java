package io.mcpbridge;

import java.time.Duration;

/**
 * What a server's sign of life was.
 *
 * @param server its configured name
 * @param isHealthy whether it answered
 * @param latency how long the answer or the failure took
 * @param error why it did not answer, or the empty string
 */
public record ServerHealth(String server, boolean isHealthy, Duration latency, String error) {}

package io.mcpbridge.spi;

/**
 * What a stage shows of itself, for operators and for telemetry.
 *
 * @param name dotted, lower-case, the same for every server, such as {@code breaker.state}
 * @param value the number to watch
 * @param words what it means now, such as {@code open for 4 s more}; may be empty
 */
public record Measurement(String name, double value, String words) {}

package io.mcpbridge.spi;

/**
 * A named value that a component measures, for operators and telemetry.
 *
 * @param name dotted, lower-case, the same for every server, such as {@code breaker.state}
 * @param value the measured value
 * @param words the current meaning, such as {@code open for 4 s more}; may be empty
 */
public record GaugeReading(String name, double value, String words) {}

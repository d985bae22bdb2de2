package io.mcpbridge.stream;

import io.mcpbridge.spi.Environment;

/**
 * What the connections of one listener share.
 *
 * @param settings what each client may do
 * @param budget the bytes that may wait for all of them together
 * @param environment clock and logger
 */
public record LineContext(LineSettings settings, ByteBudget budget, Environment environment) {}

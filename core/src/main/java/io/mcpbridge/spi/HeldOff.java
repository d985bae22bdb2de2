package io.mcpbridge.spi;

import java.time.Instant;

/**
 * That the calls of a server do not get to it at this moment.
 *
 * @param why in words for operators
 * @param since when that began
 */
public record HeldOff(String why, Instant since) {}

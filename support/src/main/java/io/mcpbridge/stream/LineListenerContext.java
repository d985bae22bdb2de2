package io.mcpbridge.stream;

import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Environment;

/**
 * The settings and services that the connections of one listener share.
 *
 * @param settings the limits of each client
 * @param environment clock, logger, and the budget of bytes that may wait for all clients together
 */
public record LineListenerContext(LineSettings settings, Environment environment) {

    ByteBudget budget() {
        return environment.limits().outbound();
    }
}

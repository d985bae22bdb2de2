package io.mcpbridge.stream;

import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.Environment;

/**
 * What the connections of one listener share.
 *
 * @param settings what each client may do
 * @param environment clock, logger, and the bytes that may wait for all clients together
 */
public record LineContext(LineSettings settings, Environment environment) {

    ByteBudget budget() {
        return environment.bounds().outbound();
    }
}

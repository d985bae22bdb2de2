package io.mcpbridge.standard;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;

/** Provides {@code none}: every failure goes straight to the caller. */
public final class NoRetriesProvider implements RetryPolicyProvider {

    @Override
    public String name() {
        return "none";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public RetryPolicy create(Settings settings, Environment environment) {
        return new NoRetries();
    }
}

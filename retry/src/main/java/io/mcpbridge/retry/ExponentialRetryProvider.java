package io.mcpbridge.retry;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;

/** Provides {@code exponential}: whatever may heal is repeated, with pauses that double. */
public final class ExponentialRetryProvider implements RetryPolicyProvider {

    @Override
    public String name() {
        return "exponential";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public RetryPolicy create(Settings settings, Environment environment) {
        return new ExponentialRetryPolicy(ExponentialRetrySettings.from(settings));
    }
}

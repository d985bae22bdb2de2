package io.mcpbridge.retry;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;

/** Provides {@code safe}: only what cannot run twice, or may, is repeated. */
public final class SafeRetryProvider implements RetryPolicyProvider {

    @Override
    public String name() {
        return "safe";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public RetryPolicy create(Settings settings, Environment environment) {
        return new SafeRetryPolicy(SafeRetrySettings.from(settings), environment.random());
    }
}

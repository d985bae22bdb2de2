package io.mcpbridge.engine.pipeline;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;

/** Provides {@code none}, which returns every failure to the caller without a retry. */
public final class NoRetriesProvider implements RetryPolicyProvider {

    @Override
    public Id id() {
        return new Id("none", SPI_VERSION);
    }

    @Override
    public RetryPolicy create(Settings settings, Environment environment) {
        return new NoRetries();
    }

    /** The policy {@code none}, which returns every failure to the caller without a retry. */
    public static final class NoRetries implements RetryPolicy {

        @Override
        public Decision decide(Attempt failed) {
            return new Decision.Stop("the policy 'none' never repeats");
        }

        @Override
        public int maxAttempts() {
            return 1;
        }
    }
}

package io.mcpbridge.standard;

import io.mcpbridge.spi.Attempt;
import io.mcpbridge.spi.Decision;
import io.mcpbridge.spi.RetryPolicy;

/** The policy {@code none}: every failure goes straight to the caller. */
public final class NoRetries implements RetryPolicy {

    @Override
    public Decision decide(Attempt failed) {
        return new Decision.Stop("the policy 'none' never repeats");
    }

    @Override
    public int maxAttempts() {
        return 1;
    }
}

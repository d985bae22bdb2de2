package io.mcpbridge.testkit.standard;

import io.mcpbridge.spi.NoRetriesProvider.NoRetries;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.testkit.contract.RetryPolicyContract;
import java.util.random.RandomGenerator;

class NoRetriesTest extends RetryPolicyContract {

    @Override
    protected RetryPolicy policy(RandomGenerator random) {
        return new NoRetries();
    }
}

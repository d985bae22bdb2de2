package io.mcpbridge.retry;

import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.testkit.contract.RetryPolicyContract;
import java.util.random.RandomGenerator;

class ExponentialRetryPolicyContractTest extends RetryPolicyContract {

    @Override
    protected RetryPolicy policy(RandomGenerator random) {
        return new ExponentialRetryPolicy(BackoffSettings.EXPONENTIAL);
    }
}

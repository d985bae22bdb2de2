package io.mcpbridge.engine.pipeline;

import io.mcpbridge.engine.pipeline.NoRetriesProvider.NoRetries;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.testkit.contract.ProviderContract;
import io.mcpbridge.testkit.contract.RetryPolicyContract;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;

class NoRetriesTest extends RetryPolicyContract {

    @Override
    protected RetryPolicy policy(RandomGenerator random) {
        return new NoRetries();
    }

    @Nested
    class ItsProvider extends ProviderContract<RetryPolicyProvider> {
        @Override
        protected Class<RetryPolicyProvider> service() {
            return RetryPolicyProvider.class;
        }

        @Override
        protected Class<NoRetriesProvider> implementation() {
            return NoRetriesProvider.class;
        }

        @Override
        protected String name() {
            return "none";
        }
    }
}

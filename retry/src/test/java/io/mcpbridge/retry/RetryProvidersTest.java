package io.mcpbridge.retry;

import io.mcpbridge.retry.ExponentialRetryPolicy.ExponentialRetryProvider;
import io.mcpbridge.retry.SafeRetryPolicy.SafeRetryProvider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.testkit.contract.ProviderContract;
import org.junit.jupiter.api.Nested;

/** The services file names the providers. */
class RetryProvidersTest {

    @Nested
    class Exponential extends ProviderContract<RetryPolicyProvider> {

        @Override
        protected Class<RetryPolicyProvider> service() {
            return RetryPolicyProvider.class;
        }

        @Override
        protected Class<? extends RetryPolicyProvider> implementation() {
            return ExponentialRetryProvider.class;
        }

        @Override
        protected String name() {
            return "exponential";
        }
    }

    @Nested
    class Safe extends ProviderContract<RetryPolicyProvider> {

        @Override
        protected Class<RetryPolicyProvider> service() {
            return RetryPolicyProvider.class;
        }

        @Override
        protected Class<? extends RetryPolicyProvider> implementation() {
            return SafeRetryProvider.class;
        }

        @Override
        protected String name() {
            return "safe";
        }
    }
}

package io.mcpbridge.retry;

import io.mcpbridge.retry.breaker.BreakerProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.testkit.contract.ProviderContract;
import org.junit.jupiter.api.Nested;

/** The services file names the providers of stages. */
class StageProvidersTest {

    @Nested
    class Breaker extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return BreakerProvider.class;
        }

        @Override
        protected String name() {
            return "breaker";
        }
    }

    abstract static class Contract extends ProviderContract<CallStageProvider> {

        @Override
        protected Class<CallStageProvider> service() {
            return CallStageProvider.class;
        }
    }
}

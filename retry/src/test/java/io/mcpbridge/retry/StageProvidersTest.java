package io.mcpbridge.retry;

import io.mcpbridge.retry.breaker.BreakerStage.BreakerProvider;
import io.mcpbridge.retry.cache.CacheStage.CacheProvider;
import io.mcpbridge.retry.cache.CoalescingStage.CoalescingProvider;
import io.mcpbridge.retry.limit.ConcurrencyStage.ConcurrencyProvider;
import io.mcpbridge.retry.limit.RateLimitStage.RateLimitProvider;
import io.mcpbridge.retry.runonce.RunOnceStage.RunOnceProvider;
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

    @Nested
    class RateLimit extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return RateLimitProvider.class;
        }

        @Override
        protected String name() {
            return "rate-limit";
        }
    }

    @Nested
    class Concurrency extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return ConcurrencyProvider.class;
        }

        @Override
        protected String name() {
            return "concurrency";
        }
    }

    @Nested
    class Cache extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return CacheProvider.class;
        }

        @Override
        protected String name() {
            return "cache";
        }
    }

    @Nested
    class Coalescing extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return CoalescingProvider.class;
        }

        @Override
        protected String name() {
            return "coalescing";
        }
    }

    @Nested
    class RunOnce extends Contract {

        @Override
        protected Class<? extends CallStageProvider> implementation() {
            return RunOnceProvider.class;
        }

        @Override
        protected String name() {
            return "repeats";
        }
    }

    abstract static class Contract extends ProviderContract<CallStageProvider> {

        @Override
        protected Class<CallStageProvider> service() {
            return CallStageProvider.class;
        }
    }
}

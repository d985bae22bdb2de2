/** Retry policies, circuit breaker, limits, coalescing and cache. */
module io.mcpbridge.retry {
    requires transitive io.mcpbridge.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.retry;
    exports io.mcpbridge.retry.breaker;
    exports io.mcpbridge.retry.cache;
    exports io.mcpbridge.retry.limit;
    exports io.mcpbridge.retry.runonce;

    provides io.mcpbridge.spi.CallStageProvider with
            io.mcpbridge.retry.breaker.BreakerStage.BreakerProvider,
            io.mcpbridge.retry.cache.CacheStage.CacheProvider,
            io.mcpbridge.retry.cache.CoalescingStage.CoalescingProvider,
            io.mcpbridge.retry.limit.ConcurrencyStage.ConcurrencyProvider,
            io.mcpbridge.retry.limit.RateLimitStage.RateLimitProvider,
            io.mcpbridge.retry.runonce.RunOnceStage.RunOnceProvider;
    provides io.mcpbridge.spi.RetryPolicyProvider with
            io.mcpbridge.retry.ExponentialRetryPolicy.ExponentialRetryProvider,
            io.mcpbridge.retry.SafeRetryPolicy.SafeRetryProvider;
}

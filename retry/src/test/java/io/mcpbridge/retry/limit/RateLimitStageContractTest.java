package io.mcpbridge.retry.limit;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.contract.CallStageContract;

class RateLimitStageContractTest extends CallStageContract {

    @Override
    protected CallStage stage(Environment environment) {
        return new RateLimitStage(
                new RateLimitSettings(
                        new RateLimitSettings.Rate(10_000, 10_000), RateLimitSettings.Rate.UNLIMITED, 1024),
                StageContext.of("tools", environment));
    }
}

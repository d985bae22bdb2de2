package io.mcpbridge.retry.breaker;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.contract.CallStageContract;

class BreakerStageContractTest extends CallStageContract {

    @Override
    protected CallStage stage(Environment environment) {
        return new BreakerStage(BreakerSettings.DEFAULTS, StageContext.of("tools", environment));
    }
}

package io.mcpbridge.retry.limit;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.contract.CallStageContract;

class ConcurrencyStageContractTest extends CallStageContract {

    @Override
    protected CallStage stage(Environment environment) {
        return new ConcurrencyStage(new ConcurrencySettings(2_000, 10), StageContext.of("tools", environment));
    }
}

package io.mcpbridge.retry.cache;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.contract.CallStageContract;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.Map;

class CacheStageContractTest extends CallStageContract {
    private static final ToolHints READ_ONLY = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);

    @Override
    protected CallStage stage(Environment environment) {
        return new CacheStage(
                new CacheSettings(Map.of("work", Duration.ofSeconds(30)), 100, 1 << 20),
                StageContext.of("tools", environment).withHints(call -> READ_ONLY));
    }
}

package io.mcpbridge.testkit;

import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.contract.CallStageContract;

/** A stage that does nothing keeps all that stages promise. */
class CallStageContractTest extends CallStageContract {

    @Override
    protected CallStage stage(Environment environment) {
        return (call, next) -> next.handle(call);
    }
}

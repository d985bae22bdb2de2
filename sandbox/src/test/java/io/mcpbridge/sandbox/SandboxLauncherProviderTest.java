package io.mcpbridge.sandbox;

import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.testkit.contract.ProviderContract;

class SandboxLauncherProviderTest extends ProviderContract<ProcessLauncherProvider> {

    @Override
    protected Class<ProcessLauncherProvider> service() {
        return ProcessLauncherProvider.class;
    }

    @Override
    protected Class<SandboxLauncherProvider> implementation() {
        return SandboxLauncherProvider.class;
    }

    @Override
    protected String name() {
        return "sandbox";
    }
}

package io.mcpbridge.sandbox;

import io.mcpbridge.sandbox.launch.SandboxLauncher;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;

/**
 * Provides {@code sandbox}: a launcher whose children cannot outlive the bridge, and have limits if these are
 * configured.
 */
public final class SandboxLauncherProvider implements ProcessLauncherProvider {

    @Override
    public Id id() {
        return new Id("sandbox", SPI_VERSION);
    }

    @Override
    public ProcessLauncher open(Settings section, ProcessLauncher plain) {
        return SandboxLauncher.open(section, plain, System.getenv());
    }

    @Override
    public void check(Settings section) {
        var unused = SandboxSettings.from(section);
    }
}

package io.mcpbridge.sandbox;

import io.mcpbridge.sandbox.launch.SandboxLauncher;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;

/** Provides {@code sandbox}: children that cannot outlive us, and that have limits if they are configured. */
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

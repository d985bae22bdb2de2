package io.mcpbridge.config;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Settings;
import java.util.LinkedHashSet;
import java.util.Set;

/** The keys of {@code bridge} that are defaults for the sections of all servers. */
final class StageDefaults {
    /** The retry budget, which is the engine's and no stage of its own. */
    private static final String RETRY_BUDGET = "retry-budget";

    private StageDefaults() {}

    /** Takes them out of the {@code bridge} object, where they are known from now on. */
    static Settings of(Settings bridge) {
        Set<String> keys =
                new LinkedHashSet<>(Providers.of(CallStageProvider.class).names());
        keys.add(RETRY_BUDGET);
        return bridge.only(keys);
    }
}

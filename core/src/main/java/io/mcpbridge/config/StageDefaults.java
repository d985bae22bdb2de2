package io.mcpbridge.config;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.pipeline.RetryBudgetSettings;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.StageContext;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/** The keys of {@code bridge} that are defaults for the sections of all servers. */
final class StageDefaults {
    /** The retry budget, which is the engine's and no stage of its own. */
    private static final String RETRY_BUDGET = "retry-budget";

    private static final String OFF = "none";

    private StageDefaults() {}

    /**
     * Takes them out of the {@code bridge} object, where they are known from now on.
     *
     * @throws ConfigurationException with every mistake in them, which are those of no server
     */
    static Settings of(Settings bridge) {
        var providers = Providers.of(CallStageProvider.class);
        Set<String> keys = new LinkedHashSet<>(providers.names());
        keys.add(RETRY_BUDGET);
        var mistakes = new Mistakes();
        var checked = bridge.only(keys);
        for (var provider : providers.all()) {
            if (isSection(checked, provider.name())) {
                mistakes.collect(() -> provider.create(context(checked.section(provider.name()))));
            }
        }
        if (isSection(checked, RETRY_BUDGET)) {
            mistakes.collect(() -> RetryBudgetSettings.from(checked.section(RETRY_BUDGET)));
        }
        mistakes.collect(() -> checked.finish(() -> checked));
        mistakes.throwIfAny();
        return bridge.only(keys);
    }

    private static boolean isSection(Settings defaults, String key) {
        return defaults.has(key) && !defaults.says(key, OFF);
    }

    /** For a stage that is made only so that it reads its section. */
    private static StageContext context(Settings section) {
        var nowhere = new Nowhere();
        return StageContext.of(
                        "", Environment.with(nowhere, Runnable::run, nowhere).build())
                .settings(section)
                .build();
    }

    /** Time stands still here, and nothing is started. */
    private static final class Nowhere implements Timekeeper, ProcessLauncher {

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public Alarm schedule(Duration delay, Runnable action) {
            return () -> {};
        }

        @Override
        public ChildProcess launch(Command command) {
            throw new IllegalStateException("a stage starts no process");
        }

        @Override
        public void close() {}
    }
}

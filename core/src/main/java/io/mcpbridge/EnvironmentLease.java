package io.mcpbridge;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An environment that is closed with its user if the user made it, and left alone if it was handed in. */
final class EnvironmentLease implements AutoCloseable {
    private static final String SANDBOX = "sandbox";

    private final Environment environment;
    private final @Nullable StandardEnvironment owned;

    private EnvironmentLease(Environment environment, @Nullable StandardEnvironment owned) {
        this.environment = environment;
        this.owned = owned;
    }

    static EnvironmentLease of(Optional<Environment> given) {
        if (given.isPresent()) {
            return new EnvironmentLease(given.get(), null);
        }
        var owned = StandardEnvironment.open();
        return new EnvironmentLease(owned.environment(), owned);
    }

    /**
     * The same, whose children are held as the daemon holds them where the configuration says anything of that.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the level that it requires is not to be had
     */
    static EnvironmentLease of(Optional<Environment> given, BridgeConfiguration configuration) {
        var section = configuration.bridge().plugIns().sandbox();
        var isAsked = !section.keys().isEmpty()
                || configuration.servers().stream().anyMatch(EnvironmentLease::asksForSandbox);
        return given.isEmpty() && isAsked ? held(section) : of(given);
    }

    /** The same for the section of one server. */
    static EnvironmentLease of(Optional<Environment> given, Settings server) {
        return given.isEmpty() && server.has(SANDBOX) ? held(Settings.of(Map.of())) : of(given);
    }

    /** Limits of memory for single calls take one too. */
    private static boolean asksForSandbox(ServerSettings server) {
        return server.enabled()
                && (server.settings().has(SANDBOX) || server.isolation().perCall());
    }

    private static EnvironmentLease held(Settings section) {
        var owned = StandardEnvironment.open(SandboxChoice.of(section).open(new PlainProcessLauncher()));
        return new EnvironmentLease(owned.environment(), owned);
    }

    Environment environment() {
        return environment;
    }

    @Override
    public void close() {
        if (owned != null) {
            owned.close();
        }
    }
}

package io.mcpbridge;

import io.mcpbridge.spi.Environment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An environment that is closed with its user if the user made it, and left alone if it was handed in. */
final class EnvironmentLease implements AutoCloseable {
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

package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.spi.Environment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environment of a daemon: its own, which ends with it, or one that was handed in, which does not. */
final class DaemonEnvironment implements AutoCloseable {
    private final Environment environment;
    private final @Nullable StandardEnvironment own;

    private DaemonEnvironment(Environment environment, @Nullable StandardEnvironment own) {
        this.environment = environment;
        this.own = own;
    }

    /** @throws io.mcpbridge.failure.ConfigurationException if children cannot be held as the choice requires */
    static DaemonEnvironment of(Optional<Environment> given, SandboxChoice sandbox) {
        if (given.isPresent()) {
            sandbox.require(given.get().launcher());
            return new DaemonEnvironment(given.get(), null);
        }
        var own = StandardEnvironment.open(sandbox.open(PlainProcessLauncher.apart()));
        return new DaemonEnvironment(own.environment(), own);
    }

    Environment environment() {
        return environment;
    }

    /** Ends all children at once, so that nobody waits for them to end by themselves. */
    void endChildren() {
        if (own != null) {
            environment.launcher().close();
        }
    }

    @Override
    public void close() {
        if (own != null) {
            own.close();
        }
    }
}

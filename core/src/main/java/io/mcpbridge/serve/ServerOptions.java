package io.mcpbridge.serve;

import io.mcpbridge.config.Variables;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** How a server of tools serves. Immutable; what is not set keeps its default. */
public final class ServerOptions {
    /** A server of that name which listens nowhere yet. */
    public static final ServerOptions DEFAULTS = builder().build();

    private final ServerOptionsBuilder parts;

    ServerOptions(ServerOptionsBuilder parts) {
        this.parts = parts;
    }

    /** Begins with the defaults. */
    public static ServerOptionsBuilder builder() {
        return new ServerOptionsBuilder();
    }

    String name() {
        return parts.name;
    }

    String instructions() {
        return parts.instructions;
    }

    VersionReader versionReader() {
        return parts.versionReader;
    }

    /** The mode, where the program rather than a variable chooses it. */
    Optional<Mode> mode() {
        return Optional.ofNullable(parts.mode);
    }

    Optional<AuditSink> auditSink() {
        return Optional.ofNullable(parts.auditSink);
    }

    /** The listeners to make, by the names of their providers. */
    Map<String, Settings> sections() {
        return parts.sections;
    }

    /** The listeners that were handed in. */
    List<Listener> listeners() {
        return parts.listeners;
    }

    /** Those of them with whose one client the server ends. */
    List<Listener> untilGone() {
        return parts.untilGone;
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(parts.environment);
    }

    LongSupplier clock() {
        var given = parts.clock;
        if (given != null) {
            return given;
        }
        return environment()
                .<LongSupplier>map(each -> each.timekeeper()::nanoTime)
                .orElse(System::nanoTime);
    }

    long bootTime() {
        return parts.bootTime.orElseGet(clock());
    }

    System.Logger logger() {
        var given = parts.logger;
        return given == null
                ? environment().map(Environment::logger).orElseGet(() -> System.getLogger("io.mcpbridge"))
                : given;
    }

    Variables variables() {
        return Variables.of(environment().map(Environment::variables).orElseGet(System::getenv));
    }

    Duration startupTimeout() {
        var given = parts.startupTimeout;
        return given == null ? variables().startupTimeout() : given;
    }

    Duration callTimeout() {
        return parts.callTimeout;
    }

    Optional<String> schemaCheck() {
        return Optional.ofNullable(parts.schemaCheck);
    }

    boolean wantsGlobalHandlers() {
        return parts.globalHandlers;
    }

    IntConsumer exit() {
        return parts.exit;
    }
}

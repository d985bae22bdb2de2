package io.mcpbridge.server;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.engine.BridgeVersion;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorText;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The options of a tool server. Immutable once built; an option that is not set keeps its default. */
public final class ToolServerOptions {
    /** The defaults, without a listener. */
    public static final ToolServerOptions DEFAULTS = builder().build();

    /** The schema check where the options name no other. */
    static final String JSON_SCHEMA = "json-schema";

    private String name = "mcp-bridge-server";
    private String instructions = "";
    private Callable<String> versionReader = () -> BridgeVersion.CURRENT;
    private @Nullable ServerMode mode;
    private @Nullable AuditSink auditSink;
    private final Map<String, Settings> sections = new LinkedHashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final List<Listener> untilGone = new ArrayList<>();
    private @Nullable Environment environment;
    private @Nullable LongSupplier clock;
    private OptionalLong bootTime = OptionalLong.empty();
    private System.@Nullable Logger logger;
    private @Nullable Duration startupTimeout;
    private Duration callTimeout = Duration.ofMinutes(5);
    private String schemaCheck = JSON_SCHEMA;
    private boolean globalHandlers = true;
    private IntConsumer exit = System::exit;

    private ToolServerOptions() {}

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    String name() {
        return name;
    }

    String instructions() {
        return instructions;
    }

    /**
     * Reads the version.
     *
     * @throws ConfigurationException if the reader fails or the version is empty
     */
    String version() {
        try {
            var version = versionReader.call();
            if (version.isBlank()) {
                throw new IllegalStateException("it is empty");
            }
            return version;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        } catch (Exception unreadable) {
            throw failed(ErrorText.of(unreadable));
        }
    }

    private static ConfigurationException failed(String why) {
        return ConfigurationException.of("Failed to read mcp-bridge version: " + why);
    }

    /** The mode; empty if a variable chooses it. */
    Optional<ServerMode> mode() {
        return Optional.ofNullable(mode);
    }

    Optional<AuditSink> auditSink() {
        return Optional.ofNullable(auditSink);
    }

    /** The settings of listeners to make, by the names of their providers. */
    Map<String, Settings> sections() {
        return sections;
    }

    /** The listeners that the program made. */
    List<Listener> listeners() {
        return listeners;
    }

    /** The listeners with one client, with which the server stops. */
    List<Listener> untilGone() {
        return untilGone;
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(environment);
    }

    LongSupplier clock() {
        return Optional.ofNullable(clock)
                .or(() -> environment().<LongSupplier>map(each -> each.timekeeper()::nanoTime))
                .orElse(System::nanoTime);
    }

    long bootTime() {
        return bootTime.orElseGet(clock());
    }

    System.Logger logger() {
        return Optional.ofNullable(logger)
                .or(() -> environment().map(Environment::logger))
                .orElseGet(() -> System.getLogger("io.mcpbridge"));
    }

    BridgeEnvironmentVariables variables() {
        return BridgeEnvironmentVariables.of(
                environment().map(Environment::variables).orElseGet(System::getenv));
    }

    Duration startupTimeout() {
        return startupTimeout == null ? variables().startupTimeout() : startupTimeout;
    }

    Duration callTimeout() {
        return callTimeout;
    }

    String schemaCheck() {
        return schemaCheck;
    }

    boolean wantsGlobalHandlers() {
        return globalHandlers;
    }

    IntConsumer exit() {
        return exit;
    }

    /** Builds {@link ToolServerOptions}. One thread. */
    public static final class Builder {
        private final List<Consumer<ToolServerOptions>> changes = new ArrayList<>();

        private Builder() {}

        /** The name of the server, as clients see it. */
        public Builder name(String value) {
            return with(options -> options.name = value);
        }

        /** Instructions about the tools as a whole, for the models of clients. */
        public Builder instructions(String value) {
            return with(options -> options.instructions = value);
        }

        /** The version of the program; by default, the version of this library. */
        public Builder version(String value) {
            return versionReader(() -> value);
        }

        /** Reads the version when the server starts. */
        public Builder versionReader(Callable<String> value) {
            return with(options -> options.versionReader = value);
        }

        /** The mode; by default, the one in {@code MCP_BRIDGE_MODE} or {@code COLIBRI_MODE}, else {@code FULL}. */
        public Builder mode(ServerMode value) {
            return with(options -> options.mode = value);
        }

        /** The sink that records calls; the program closes it. Mode {@code TEST} ignores it. */
        public Builder auditSink(AuditSink value) {
            return with(options -> options.auditSink = value);
        }

        /** Adds a listener: {@code stdio}, {@code unix}, {@code http} or another one on the class path. */
        public Builder listen(String listener, Settings settings) {
            return with(options -> options.sections.put(listener, settings));
        }

        /** Adds a listener, which has not started and is closed with the server. */
        public Builder listen(Listener listener) {
            return with(options -> options.listeners.add(listener));
        }

        /** Adds a listener with one client, as on standard input; the server stops when that client leaves. */
        public Builder listenUntilGone(Listener listener) {
            return with(options -> options.untilGone.add(listener));
        }

        /** Clocks, threads, variables, random numbers and the log; by default, the server makes its own. */
        public Builder environment(Environment value) {
            return with(options -> options.environment = value);
        }

        /** Monotonic nanoseconds, for uptime and audit. */
        public Builder clock(LongSupplier value) {
            return with(options -> options.clock = value);
        }

        /** The start of the program by that clock; by default, the time when the server is created. */
        public Builder bootTime(long nanos) {
            return with(options -> options.bootTime = OptionalLong.of(nanos));
        }

        /** The logger of the server. */
        public Builder logger(System.Logger value) {
            return with(options -> options.logger = value);
        }

        /** The time-out of the start; by default, {@code MCP_BRIDGE_STARTUP_TIMEOUT_MS}, else 30 s. */
        public Builder startupTimeout(Duration value) {
            var timeout = positive("startup-timeout", value);
            return with(options -> options.startupTimeout = timeout);
        }

        /** The time-out of a call, the wait for other calls of the tool included; by default, 5 minutes. */
        public Builder callTimeout(Duration value) {
            var timeout = positive("call-timeout", value);
            return with(options -> options.callTimeout = timeout);
        }

        /** The name of the schema check; {@code json-schema}, which the artifact {@code mcp-bridge-catalog} provides, by default. */
        public Builder schemaCheck(String value) {
            return with(options -> options.schemaCheck = value);
        }

        /** Installs no handler for uncaught exceptions. */
        public Builder withoutGlobalHandlers() {
            return with(options -> options.globalHandlers = false);
        }

        /** Exits the program; for tests. */
        Builder exit(IntConsumer value) {
            return with(options -> options.exit = value);
        }

        /** The options so far. */
        public ToolServerOptions build() {
            var options = new ToolServerOptions();
            changes.forEach(change -> change.accept(options));
            return options;
        }

        private Builder with(Consumer<ToolServerOptions> change) {
            changes.add(change);
            return this;
        }

        private static Duration positive(String key, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw ConfigurationException.of("'%s' is %s but must be longer than zero".formatted(key, value));
            }
            return value;
        }
    }
}

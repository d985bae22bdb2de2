package io.mcpbridge.server;

import io.mcpbridge.config.EnvironmentVariables;
import io.mcpbridge.failure.ConfigurationException;
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

/** The options of a tool server. Immutable; an option that is not set keeps its default. */
public final class ToolServerOptions {
    /** The defaults, without a listener. */
    public static final ToolServerOptions DEFAULTS = builder().build();

    /** The schema check where the options name no other. */
    static final String JSON_SCHEMA = "json-schema";

    private final Parts parts;

    private ToolServerOptions(Parts parts) {
        this.parts = parts;
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    String name() {
        return parts.name;
    }

    String instructions() {
        return parts.instructions;
    }

    /**
     * Reads the version.
     *
     * @throws ConfigurationException if the reader fails or the version is empty
     */
    String version() {
        try {
            var version = parts.versionReader.call();
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
        return Optional.ofNullable(parts.mode);
    }

    Optional<AuditSink> auditSink() {
        return Optional.ofNullable(parts.auditSink);
    }

    /** The settings of listeners to make, by the names of their providers. */
    Map<String, Settings> sections() {
        return parts.sections;
    }

    /** The listeners that the program made. */
    List<Listener> listeners() {
        return parts.listeners;
    }

    /** The listeners with one client, with which the server stops. */
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

    EnvironmentVariables variables() {
        return EnvironmentVariables.of(environment().map(Environment::variables).orElseGet(System::getenv));
    }

    Duration startupTimeout() {
        var given = parts.startupTimeout;
        return given == null ? variables().startupTimeout() : given;
    }

    Duration callTimeout() {
        return parts.callTimeout;
    }

    String schemaCheck() {
        return parts.schemaCheck;
    }

    boolean wantsGlobalHandlers() {
        return parts.globalHandlers;
    }

    IntConsumer exit() {
        return parts.exit;
    }

    /** Builds {@link ToolServerOptions}. One thread. */
    public static final class Builder {
        private final List<Consumer<Parts>> changes = new ArrayList<>();

        private Builder() {}

        /** The name of the server, as clients see it. */
        public Builder name(String value) {
            return with(parts -> parts.name = value);
        }

        /** Instructions about the tools as a whole, for the models of clients. */
        public Builder instructions(String value) {
            return with(parts -> parts.instructions = value);
        }

        /** The version of the program; by default, the version of this library. */
        public Builder version(String value) {
            return versionReader(() -> value);
        }

        /** Reads the version when the server starts. */
        public Builder versionReader(Callable<String> value) {
            return with(parts -> parts.versionReader = value);
        }

        /** The mode; by default, the one in {@code MCP_BRIDGE_MODE} or {@code COLIBRI_MODE}, else {@code FULL}. */
        public Builder mode(ServerMode value) {
            return with(parts -> parts.mode = value);
        }

        /** The sink that records calls; the program closes it. Mode {@code TEST} ignores it. */
        public Builder auditSink(AuditSink value) {
            return with(parts -> parts.auditSink = value);
        }

        /** Adds a listener: {@code stdio}, {@code unix}, {@code http} or another one on the class path. */
        public Builder listen(String listener, Settings settings) {
            return with(parts -> parts.sections.put(listener, settings));
        }

        /** Adds a listener, which has not started and is closed with the server. */
        public Builder listen(Listener listener) {
            return with(parts -> parts.listeners.add(listener));
        }

        /** Adds a listener with one client, as on standard input; the server stops when that client leaves. */
        public Builder listenUntilGone(Listener listener) {
            return with(parts -> parts.untilGone.add(listener));
        }

        /** Clocks, threads, variables, random numbers and the log; by default, the server makes its own. */
        public Builder environment(Environment value) {
            return with(parts -> parts.environment = value);
        }

        /** Monotonic nanoseconds, for uptime and audit. */
        public Builder clock(LongSupplier value) {
            return with(parts -> parts.clock = value);
        }

        /** The start of the program by that clock; by default, the time when the server is created. */
        public Builder bootTime(long nanos) {
            return with(parts -> parts.bootTime = OptionalLong.of(nanos));
        }

        /** The logger of the server. */
        public Builder logger(System.Logger value) {
            return with(parts -> parts.logger = value);
        }

        /** The time-out of the start; by default, {@code MCP_BRIDGE_STARTUP_TIMEOUT_MS}, else 30 s. */
        public Builder startupTimeout(Duration value) {
            var timeout = positive("startup-timeout", value);
            return with(parts -> parts.startupTimeout = timeout);
        }

        /** The time-out of a call, the wait for other calls of the tool included; by default, 5 minutes. */
        public Builder callTimeout(Duration value) {
            var timeout = positive("call-timeout", value);
            return with(parts -> parts.callTimeout = timeout);
        }

        /** The name of the schema check; {@code json-schema}, which the artifact {@code mcp-bridge-catalog} provides, by default. */
        public Builder schemaCheck(String value) {
            return with(parts -> parts.schemaCheck = value);
        }

        /** Installs no handler for uncaught exceptions. */
        public Builder withoutGlobalHandlers() {
            return with(parts -> parts.globalHandlers = false);
        }

        /** Exits the program; for tests. */
        Builder exit(IntConsumer value) {
            return with(parts -> parts.exit = value);
        }

        /** The options so far. */
        public ToolServerOptions build() {
            var parts = new Parts();
            changes.forEach(change -> change.accept(parts));
            return new ToolServerOptions(parts);
        }

        private Builder with(Consumer<Parts> change) {
            changes.add(change);
            return this;
        }

        /** Reads the version from the manifest of the artifact with this class. */
        static Callable<String> versionOfArtifact(Class<?> type) {
            return () -> {
                var version = type.getPackage().getImplementationVersion();
                if (version == null) {
                    throw new IllegalStateException(
                            "the manifest beside '%s' has no Implementation-Version; name a version in the options"
                                    .formatted(type.getName()));
                }
                return version;
            };
        }

        private static Duration positive(String key, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw ConfigurationException.of("'%s' is %s but must be longer than zero".formatted(key, value));
            }
            return value;
        }
    }

    /** The values of the options; they change only while a builder builds. */
    private static final class Parts {
        private String name = "mcp-bridge-server";
        private String instructions = "";
        private Callable<String> versionReader = Builder.versionOfArtifact(ToolServerOptions.class);
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
        private String schemaCheck = ToolServerOptions.JSON_SCHEMA;
        private boolean globalHandlers = true;
        private IntConsumer exit = System::exit;
    }
}

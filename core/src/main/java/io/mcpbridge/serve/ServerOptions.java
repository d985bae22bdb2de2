package io.mcpbridge.serve;

import io.mcpbridge.config.Variables;
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
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How a server of tools serves. Immutable; what is not set keeps its default. */
public final class ServerOptions {
    /** A server of that name which listens nowhere yet. */
    public static final ServerOptions DEFAULTS = builder().build();

    private final Builder parts;

    private ServerOptions(Builder parts) {
        this.parts = parts;
    }

    /** Begins with the defaults. */
    public static Builder builder() {
        return new Builder();
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

    /** Collects options; for one thread. */
    public static final class Builder {
        private String name = "mcp-bridge-server";
        private String instructions = "";
        private VersionReader versionReader = Versions.ofArtifact(ToolServer.class);
        private @Nullable Mode mode;
        private @Nullable AuditSink auditSink;
        private Map<String, Settings> sections = new LinkedHashMap<>();
        private List<Listener> listeners = new ArrayList<>();
        private List<Listener> untilGone = new ArrayList<>();
        private @Nullable Environment environment;
        private @Nullable LongSupplier clock;
        private OptionalLong bootTime = OptionalLong.empty();
        private System.@Nullable Logger logger;
        private @Nullable Duration startupTimeout;
        private Duration callTimeout = Duration.ofMinutes(5);
        private @Nullable String schemaCheck;
        private boolean globalHandlers = true;
        private IntConsumer exit = System::exit;

        private Builder() {}

        private Builder(Builder from) {
            name = from.name;
            instructions = from.instructions;
            versionReader = from.versionReader;
            mode = from.mode;
            auditSink = from.auditSink;
            sections = new LinkedHashMap<>(from.sections);
            listeners = List.copyOf(from.listeners);
            untilGone = List.copyOf(from.untilGone);
            environment = from.environment;
            clock = from.clock;
            bootTime = from.bootTime;
            logger = from.logger;
            startupTimeout = from.startupTimeout;
            callTimeout = from.callTimeout;
            schemaCheck = from.schemaCheck;
            globalHandlers = from.globalHandlers;
            exit = from.exit;
        }

        /** What clients are told that it is called. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** What the models of clients are told about the tools together. */
        public Builder instructions(String value) {
            instructions = value;
            return this;
        }

        /** The version of the program; without one it is that of this library. */
        public Builder version(String value) {
            return versionReader(() -> value);
        }

        /** Where the version is read when the server starts. */
        public Builder versionReader(VersionReader value) {
            versionReader = value;
            return this;
        }

        /** The mode; without one it is what {@code MCP_BRIDGE_MODE} or {@code COLIBRI_MODE} says, else {@code FULL}. */
        public Builder mode(Mode value) {
            mode = value;
            return this;
        }

        /** Where calls are recorded; whoever hands it in closes it. In mode {@code TEST} it is not used. */
        public Builder auditSink(AuditSink value) {
            auditSink = value;
            return this;
        }

        /** Listens at one more place: {@code stdio}, {@code unix}, {@code http} or what else the class path has. */
        public Builder listen(String listener, Settings settings) {
            sections.put(listener, settings);
            return this;
        }

        /** Listens by one more listener, which has not started and is closed with the server. */
        public Builder listen(Listener listener) {
            listeners.add(listener);
            return this;
        }

        /** The same where there is one client, as on standard input, with which the server ends. */
        public Builder listenUntilGone(Listener listener) {
            untilGone.add(listener);
            return this;
        }

        /** Clocks, threads, variables, randomness and the log; without one the server makes its own. */
        public Builder environment(Environment value) {
            environment = value;
            return this;
        }

        /** Monotonic nanoseconds, for uptime and audit. */
        public Builder clock(LongSupplier value) {
            clock = value;
            return this;
        }

        /** When the program began, by that clock; without one it is when the server is created. */
        public Builder bootTime(long nanos) {
            bootTime = OptionalLong.of(nanos);
            return this;
        }

        /** Where the server logs. */
        public Builder logger(System.Logger value) {
            logger = value;
            return this;
        }

        /** How long starting may take; without one what {@code MCP_BRIDGE_STARTUP_TIMEOUT_MS} says, else 30 s. */
        public Builder startupTimeout(Duration value) {
            startupTimeout = positive("startup-timeout", value);
            return this;
        }

        /** How long a call may take, the wait for its turn included; 5 minutes unless it is set. */
        public Builder callTimeout(Duration value) {
            callTimeout = positive("call-timeout", value);
            return this;
        }

        /** The name of the schema check; without one {@code json-schema} where that is to be had, else {@code minimal}. */
        public Builder schemaCheck(String value) {
            schemaCheck = value;
            return this;
        }

        /** Leaves failures that nobody catches to the program. */
        public Builder withoutGlobalHandlers() {
            globalHandlers = false;
            return this;
        }

        /** What ends the program, for tests. */
        Builder exit(IntConsumer value) {
            exit = value;
            return this;
        }

        /** The options so far. */
        public ServerOptions build() {
            return new ServerOptions(new Builder(this));
        }

        private static Duration positive(String key, Duration value) {
            if (value.isNegative() || value.isZero()) {
                throw ConfigurationException.of("'%s' is %s but must be longer than zero".formatted(key, value));
            }
            return value;
        }
    }
}

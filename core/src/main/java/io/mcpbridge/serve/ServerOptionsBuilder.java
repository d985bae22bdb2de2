package io.mcpbridge.serve;

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
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Collects options; for one thread. */
public final class ServerOptionsBuilder {
    String name = "mcp-bridge-server";
    String instructions = "";
    VersionReader versionReader = Versions.ofArtifact(ToolServer.class);

    @Nullable
    Mode mode;

    @Nullable
    AuditSink auditSink;

    Map<String, Settings> sections = new LinkedHashMap<>();
    List<Listener> listeners = new ArrayList<>();
    List<Listener> untilGone = new ArrayList<>();

    @Nullable
    Environment environment;

    @Nullable
    LongSupplier clock;

    OptionalLong bootTime = OptionalLong.empty();
    System.@Nullable Logger logger;

    @Nullable
    Duration startupTimeout;

    Duration callTimeout = Duration.ofMinutes(5);

    @Nullable
    String schemaCheck;

    boolean globalHandlers = true;
    IntConsumer exit = System::exit;

    ServerOptionsBuilder() {}

    ServerOptionsBuilder(ServerOptionsBuilder from) {
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
    public ServerOptionsBuilder name(String value) {
        name = value;
        return this;
    }

    /** What the models of clients are told about the tools together. */
    public ServerOptionsBuilder instructions(String value) {
        instructions = value;
        return this;
    }

    /** The version of the program; without one it is that of this library. */
    public ServerOptionsBuilder version(String value) {
        return versionReader(() -> value);
    }

    /** Where the version is read when the server starts. */
    public ServerOptionsBuilder versionReader(VersionReader value) {
        versionReader = value;
        return this;
    }

    /** The mode; without one it is what {@code MCP_BRIDGE_MODE} or {@code COLIBRI_MODE} says, else {@code FULL}. */
    public ServerOptionsBuilder mode(Mode value) {
        mode = value;
        return this;
    }

    /** Where calls are recorded; whoever hands it in closes it. In mode {@code TEST} it is not used. */
    public ServerOptionsBuilder auditSink(AuditSink value) {
        auditSink = value;
        return this;
    }

    /** Listens at one more place: {@code stdio}, {@code unix}, {@code http} or what else the class path has. */
    public ServerOptionsBuilder listen(String listener, Settings settings) {
        sections.put(listener, settings);
        return this;
    }

    /** Listens by one more listener, which has not started and is closed with the server. */
    public ServerOptionsBuilder listen(Listener listener) {
        listeners.add(listener);
        return this;
    }

    /** The same where there is one client, as on standard input, with which the server ends. */
    public ServerOptionsBuilder listenUntilGone(Listener listener) {
        untilGone.add(listener);
        return this;
    }

    /** Clocks, threads, variables, randomness and the log; without one the server makes its own. */
    public ServerOptionsBuilder environment(Environment value) {
        environment = value;
        return this;
    }

    /** Monotonic nanoseconds, for uptime and audit. */
    public ServerOptionsBuilder clock(LongSupplier value) {
        clock = value;
        return this;
    }

    /** When the program began, by that clock; without one it is when the server is created. */
    public ServerOptionsBuilder bootTime(long nanos) {
        bootTime = OptionalLong.of(nanos);
        return this;
    }

    /** Where the server logs. */
    public ServerOptionsBuilder logger(System.Logger value) {
        logger = value;
        return this;
    }

    /** How long starting may take; without one what {@code MCP_BRIDGE_STARTUP_TIMEOUT_MS} says, else 30 s. */
    public ServerOptionsBuilder startupTimeout(Duration value) {
        startupTimeout = positive("startup-timeout", value);
        return this;
    }

    /** How long a call may take, the wait for its turn included; 5 minutes unless it is set. */
    public ServerOptionsBuilder callTimeout(Duration value) {
        callTimeout = positive("call-timeout", value);
        return this;
    }

    /** The name of the schema check; without one {@code json-schema} where that is to be had, else {@code minimal}. */
    public ServerOptionsBuilder schemaCheck(String value) {
        schemaCheck = value;
        return this;
    }

    /** Leaves failures that nobody catches to the program. */
    public ServerOptionsBuilder withoutGlobalHandlers() {
        globalHandlers = false;
        return this;
    }

    /** What ends the program, for tests. */
    ServerOptionsBuilder exit(IntConsumer value) {
        exit = value;
        return this;
    }

    /** The options so far. */
    public ServerOptions build() {
        return new ServerOptions(new ServerOptionsBuilder(this));
    }

    private static Duration positive(String key, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw ConfigurationException.of("'%s' is %s but must be longer than zero".formatted(key, value));
        }
        return value;
    }
}

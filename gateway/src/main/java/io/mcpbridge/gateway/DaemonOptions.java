package io.mcpbridge.gateway;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Daemon} is told beside its configuration, mostly by arguments of a command. Immutable; {@link
 * #DEFAULTS} with changes.
 */
public final class DaemonOptions {
    public static final DaemonOptions DEFAULTS = new DaemonOptions(Map.of(), Map.of(), List.of(), null, null, null);

    private final Map<String, Map<String, ?>> listeners;
    private final Map<String, ?> telemetry;
    private final List<CallObserver> observers;
    private final @Nullable Path adminSocket;
    private final @Nullable Environment environment;
    private final @Nullable AuditSink auditSink;

    private DaemonOptions(
            Map<String, Map<String, ?>> listeners,
            Map<String, ?> telemetry,
            List<CallObserver> observers,
            @Nullable Path adminSocket,
            @Nullable Environment environment,
            @Nullable AuditSink auditSink) {
        this.listeners = listeners;
        this.telemetry = telemetry;
        this.observers = observers;
        this.adminSocket = adminSocket;
        this.environment = environment;
        this.auditSink = auditSink;
    }

    /**
     * One more listener, or other values for one that the configuration has.
     *
     * @param name {@code unix}, {@code http} or {@code stdio}
     * @param values for its section; keys that are not named here stay as they are configured
     */
    public DaemonOptions withListener(String name, Map<String, ?> values) {
        var copy = new LinkedHashMap<>(listeners);
        copy.put(name, Map.copyOf(values));
        return new DaemonOptions(copy, telemetry, observers, adminSocket, environment, auditSink);
    }

    /** Other values for the section {@code telemetry}; keys that are not named here stay as they are configured. */
    public DaemonOptions withTelemetry(Map<String, ?> values) {
        return new DaemonOptions(listeners, Map.copyOf(values), observers, adminSocket, environment, auditSink);
    }

    /** One more who watches calls. */
    public DaemonOptions withObserver(CallObserver observer) {
        var copy = new ArrayList<>(observers);
        copy.add(observer);
        return new DaemonOptions(listeners, telemetry, List.copyOf(copy), adminSocket, environment, auditSink);
    }

    /** The administrative socket at this place rather than {@linkplain AdminSocket#beside beside the clients'}. */
    public DaemonOptions withAdminSocket(Path path) {
        return new DaemonOptions(listeners, telemetry, observers, path, environment, auditSink);
    }

    /** Clocks, threads, variables, randomness and log of the caller's own, who also closes them. */
    public DaemonOptions withEnvironment(Environment newEnvironment) {
        return new DaemonOptions(listeners, telemetry, observers, adminSocket, newEnvironment, auditSink);
    }

    /**
     * A sink of the caller's own for the records of calls, instead of the one that the section {@code audit} names; of that
     * section only {@code mode} counts then. The daemon closes it when it has ended.
     */
    public DaemonOptions withAuditSink(AuditSink sink) {
        return new DaemonOptions(listeners, telemetry, observers, adminSocket, environment, sink);
    }

    /** The audit as the configuration and the options have it. */
    AuditChoice audit(Settings configured) {
        var sink = auditSink;
        return sink == null ? AuditChoice.of(configured) : AuditChoice.handedIn(sink, configured);
    }

    /** The section {@code telemetry} as the configuration and the options have it. */
    Settings telemetry(Settings configured) {
        return telemetry.isEmpty() ? configured : configured.with(telemetry);
    }

    List<CallObserver> observers() {
        return observers;
    }

    Optional<Path> adminSocket() {
        return Optional.ofNullable(adminSocket);
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(environment);
    }

    /** The listeners to start: those of the configuration and of the options, and {@code unix} if there is none. */
    Map<String, Settings> listeners(Map<String, Settings> configured) {
        var all = overriding(configured);
        if (all.isEmpty()) {
            all.put("unix", Settings.of(Map.of()));
        }
        return all;
    }

    /** The listeners of the configuration and of the options. */
    Map<String, Settings> overriding(Map<String, Settings> configured) {
        var all = new LinkedHashMap<>(configured);
        listeners.forEach(
                (name, values) -> all.merge(name, Settings.of(values), (section, overriding) -> section.with(values)));
        return all;
    }
}

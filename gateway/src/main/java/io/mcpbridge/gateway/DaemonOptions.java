package io.mcpbridge.gateway;

import io.mcpbridge.engine.AuditSinkChoice;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of a {@link Daemon} beside its configuration file, such as command-line arguments. Immutable; start from
 * {@link #DEFAULTS}.
 *
 * @param listeners the sections of listeners by name, which override those of the configuration
 * @param telemetry keys of the section {@code telemetry}, which override those of the configuration
 * @param observers the observers of calls
 * @param environment clock, threads, variables, random source and log, which the caller closes
 * @param auditSink the audit sink instead of the configured one
 * @param listFolder the folder that keeps the tools of servers for the next start; empty if they are not kept
 */
public record DaemonOptions(
        Map<String, Map<String, ?>> listeners,
        Map<String, ?> telemetry,
        List<CallObserver> observers,
        Optional<Environment> environment,
        Optional<AuditSink> auditSink,
        Optional<Path> listFolder) {
    public static final DaemonOptions DEFAULTS =
            new DaemonOptions(Map.of(), Map.of(), List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    public DaemonOptions {
        listeners = Collections.unmodifiableMap(new LinkedHashMap<>(listeners));
        telemetry = Map.copyOf(telemetry);
        observers = List.copyOf(observers);
    }

    /** Without values: those of listeners and telemetry may be secrets. */
    @Override
    public String toString() {
        return "DaemonOptions[listeners=" + listeners.keySet() + ", telemetry=" + telemetry.keySet() + "]";
    }

    /**
     * Adds a listener to those of the configuration, or to {@code unix} if it has none; or overrides keys of a
     * configured one. A daemon with {@code stdio} alone has no {@code unix}.
     *
     * @param name {@code unix}, {@code http} or {@code stdio}
     * @param values keys of its section; other keys keep their configured values
     */
    public DaemonOptions withListener(String name, Map<String, ?> values) {
        var copy = new LinkedHashMap<>(listeners);
        copy.put(name, Map.copyOf(values));
        return new DaemonOptions(copy, telemetry, observers, environment, auditSink, listFolder);
    }

    /** Overrides keys of the section {@code telemetry}; other keys keep their configured values. */
    public DaemonOptions withTelemetry(Map<String, ?> values) {
        return new DaemonOptions(listeners, values, observers, environment, auditSink, listFolder);
    }

    /** Adds an observer of calls. */
    public DaemonOptions withObserver(CallObserver observer) {
        var copy = new ArrayList<>(observers);
        copy.add(observer);
        return new DaemonOptions(listeners, telemetry, copy, environment, auditSink, listFolder);
    }

    /** Sets clock, threads, variables, random source and log. The caller closes the environment. */
    public DaemonOptions withEnvironment(Environment newEnvironment) {
        return new DaemonOptions(listeners, telemetry, observers, Optional.of(newEnvironment), auditSink, listFolder);
    }

    /**
     * Sets the audit sink, instead of the one that the section {@code audit} names; the daemon reads only {@code mode}
     * of that section then. The daemon closes the sink when it ends.
     */
    public DaemonOptions withAuditSink(AuditSink sink) {
        return new DaemonOptions(listeners, telemetry, observers, environment, Optional.of(sink), listFolder);
    }

    /**
     * Keeps the tools of servers in this folder, so that the first listing after the next start does not wait for the
     * servers.
     */
    public DaemonOptions withListFolder(Path folder) {
        return new DaemonOptions(listeners, telemetry, observers, environment, auditSink, Optional.of(folder));
    }

    /** The audit of the configuration, with the sink of these options. */
    AuditSinkChoice audit(Settings configured) {
        return auditSink
                .map(sink -> AuditSinkChoice.ofProgram(sink, configured))
                .orElseGet(() -> AuditSinkChoice.of(configured));
    }

    /** The section {@code telemetry} of the configuration, overridden by these options. */
    Settings telemetry(Settings configured) {
        return telemetry.isEmpty() ? configured : configured.with(telemetry);
    }

    /**
     * The listeners to start: those of the configuration, or {@code unix} if it has none, and those of these options.
     * With {@code stdio} alone the daemon belongs to one client; several may run.
     */
    Map<String, Settings> listeners(Map<String, Settings> configured) {
        var all = overriding(configured);
        if (configured.isEmpty() && !listeners.keySet().equals(Set.of("stdio"))) {
            all.putIfAbsent("unix", Settings.of(Map.of()));
        }
        return all;
    }

    /** The listeners of the configuration, overridden by these options. */
    Map<String, Settings> overriding(Map<String, Settings> configured) {
        var all = new LinkedHashMap<>(configured);
        listeners.forEach(
                (name, values) -> all.merge(name, Settings.of(values), (section, overriding) -> section.with(values)));
        return all;
    }
}

package io.mcpbridge.engine;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The call observers of one bridge: the program's own, and the one that the configuration names. Any thread may use it;
 * its creator closes it.
 */
public final class Observers implements AutoCloseable {
    private static final String NO_OBSERVER = "none";
    private static final String DEFAULT_OBSERVER = "opentelemetry";

    private final ObserverList all;
    private final List<CallObserver> own;
    private final List<Runnable> readings = new ArrayList<>();

    private Observers(List<CallObserver> given, List<CallObserver> own, System.Logger logger) {
        this.all = new ObserverList(Stream.concat(given.stream(), own.stream()).toList(), logger);
        this.own = own;
    }

    /** Creates a set of the given observers alone, which their creators close. */
    public static Observers only(List<CallObserver> given, Environment environment) {
        return new Observers(given, List.of(), environment.logger());
    }

    /**
     * Creates a set of the given observers and the one that the section {@code telemetry} names by {@code observer}.
     *
     * @throws ConfigurationException if the observer does not exist, or its settings are wrong
     */
    public static Observers of(Settings section, List<CallObserver> given, Environment environment) {
        var name = section.text("observer", DEFAULT_OBSERVER);
        if (name.equals(NO_OBSERVER)) {
            return section.finish(() -> only(given, environment));
        }
        var configured = section.locate(() -> provider(name)).create(section, environment);
        return new Observers(given, List.of(configured), environment.logger());
    }

    /**
     * Checks the section {@code telemetry} without creating an observer.
     *
     * @throws ConfigurationException as {@link #of} does
     */
    public static void check(Settings section) {
        var name = section.text("observer", DEFAULT_OBSERVER);
        if (name.equals(NO_OBSERVER)) {
            var unused = section.finish(() -> name);
            return;
        }
        section.locate(() -> provider(name)).check(section);
    }

    private static CallObserverProvider provider(String name) {
        var found = Providers.of(CallObserverProvider.class);
        if (!found.names().contains(name)) {
            throw ConfigurationException.of("'observer' is '%s' but must be one that is there, or 'none'; %s"
                    .formatted(name, found.others(name)));
        }
        return found.named(name);
    }

    /** Returns the list that creates the observing stage and reports events outside of calls. */
    public ObserverList list() {
        return all;
    }

    /**
     * Lets the observers read measurements of the servers until this object is closed; call it once, before the first
     * call.
     */
    public void watch(Supplier<Map<String, List<GaugeReading>>> servers) {
        all.observers().forEach(observer -> readings.add(observer.watchServers(servers)));
    }

    @Override
    public void close() {
        readings.forEach(Runnable::run);
        own.forEach(CallObserver::close);
    }
}

package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.pipeline.Observed;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserverProvider;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Those who watch the calls of one bridge: whom the program hands in, and the one whom the configuration wants. Any
 * thread may use it; whoever makes it closes it.
 */
public final class Observers implements AutoCloseable {
    private static final String NOBODY = "none";
    private static final String USUAL = "opentelemetry";

    private final List<CallObserver> all;
    private final List<CallObserver> own;
    private final List<Runnable> readings = new ArrayList<>();
    private final System.Logger logger;

    private Observers(List<CallObserver> handedIn, List<CallObserver> own, System.Logger logger) {
        var everybody = new ArrayList<>(handedIn);
        everybody.addAll(own);
        this.all = List.copyOf(everybody);
        this.own = own;
        this.logger = logger;
    }

    /** Only those handed in, whom whoever made them closes. */
    public static Observers only(List<CallObserver> handedIn, Environment environment) {
        return new Observers(handedIn, List.of(), environment.logger());
    }

    /**
     * Those handed in, and the one that the section {@code telemetry} names by {@code observer}.
     *
     * @throws ConfigurationException if it is not there, or its settings are wrong
     */
    public static Observers of(Settings section, List<CallObserver> handedIn, Environment environment) {
        var name = section.text("observer", USUAL);
        if (name.equals(NOBODY)) {
            return section.finish(() -> only(handedIn, environment));
        }
        var wanted = section.locate(() -> provider(name)).create(section, environment);
        return new Observers(handedIn, List.of(wanted), environment.logger());
    }

    /**
     * Reads the section {@code telemetry} and makes nobody.
     *
     * @throws ConfigurationException as {@link #of} does
     */
    public static void check(Settings section) {
        var name = section.text("observer", USUAL);
        if (name.equals(NOBODY)) {
            var unused = section.finish(() -> name);
            return;
        }
        section.locate(() -> provider(name)).check(section);
    }

    private static CallObserverProvider provider(String name) {
        var found = Providers.of(CallObserverProvider.class);
        if (!found.names().contains(name)) {
            throw ConfigurationException.of(
                    "'observer' is '%s' but must be one that is there; %sfound are %s. Add the artifact io.mcpbridge:mcp-bridge-telemetry, or choose 'none'"
                            .formatted(name, Nearest.question(name, found.names()), found.names()));
        }
        return found.named(name);
    }

    /**
     * The stage in which calls are watched; none where nobody watches.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    public List<CallStage> stage(CallStart.Origin origin, Predicate<Call> listed) {
        return Observed.by(all, origin, listed, logger);
    }

    /** The same for what belongs to no call. */
    public Bystanders bystanders() {
        return Bystanders.of(all, logger);
    }

    /** Says where the state of the servers can be read until this is closed; once, before the first call. */
    public void watch(Supplier<Map<String, List<Reading>>> servers) {
        all.forEach(observer -> readings.add(observer.watchServers(servers)));
    }

    @Override
    public void close() {
        readings.forEach(Runnable::run);
        own.forEach(CallObserver::close);
    }
}

package io.mcpbridge.engine;

import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.engine.pipeline.RetryAndTimeoutPolicies;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.translation.SuspendedCalls;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.StartGate;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Creates the route to each configured server, for the library and the daemon. Any thread may use it. */
public final class RouteFactory {
    private final Environment environment;
    private final Plugins plugins;
    private final EventBus events;
    private final ToolCatalog catalog;
    private final BridgeIdentity identity;
    private final BiConsumer<String, Notification> onListChanged;
    private final SuspendedCalls suspendedCalls;
    private final StartGate gate;
    private volatile ObserverList observers;
    private volatile ToolNaming names = ToolNaming.PLAIN;
    private volatile @Nullable Path listFolder;
    private volatile Settings defaults = Settings.of(Map.of());

    /**
     * Creates a factory with the parts that all servers share.
     *
     * @param onListChanged receives the name of a server and the {@code list_changed} of a kind when such a list changes
     */
    public RouteFactory(
            Environment environment,
            Plugins plugins,
            EventBus events,
            ToolCatalog catalog,
            BridgeIdentity identity,
            BiConsumer<String, Notification> onListChanged) {
        this.environment = environment;
        this.plugins = plugins;
        this.events = events;
        this.catalog = catalog;
        this.identity = identity;
        this.onListChanged = onListChanged;
        this.gate = new StartGate(environment.timekeeper());
        this.suspendedCalls = new SuspendedCalls(SuspendedCallSettings.DEFAULTS, environment);
        this.observers = new ObserverList(List.of(), environment.logger());
    }

    /** Sets the observers of events outside of calls; call it before {@link #open}. */
    public void useObservers(ObserverList newObservers) {
        observers = newObservers;
    }

    /** Sets the naming of exposed tools. From now on lists omit tools whose exposed name breaks the rule for names. */
    public void useNames(ToolNaming newNames) {
        names = newNames;
    }

    /** Keeps the tools of shared servers in this folder for the next run; call it before {@link #open}. */
    public void keepLists(Path folder) {
        listFolder = folder;
    }

    /** Sets the keys that the section of each server has unless it sets them itself; call it before {@link #open}. */
    public void useDefaults(Settings section) {
        defaults = section;
    }

    /** Returns the suspended calls of all servers. */
    public SuspendedCalls suspendedCalls() {
        return suspendedCalls;
    }

    /**
     * Creates one route, which does not connect yet.
     *
     * @param defaultPolicy the name of the retry policy if the server names none
     * @throws ConfigurationException if the transport or the policy does not exist, or the settings are wrong
     */
    public ServerRoute open(ServerSettings settings, UpstreamParts.Reconnecting reconnecting, String defaultPolicy) {
        // Creating a transport here reports wrong settings now instead of at the first call.
        plugins.check(settings, defaultPolicy, environment);
        var provider = plugins.transports().named(settings.type());
        var policy = attemptPolicy(settings, defaultPolicy);
        var parts = new UpstreamParts(
                settings,
                section -> provider.create(section, environment),
                environment,
                events,
                catalog,
                identity,
                gate,
                observers,
                reconnecting,
                Plugins.policyName(settings.retry().policy(), defaultPolicy),
                () -> names,
                listFolder);
        var sandbox = plugins.sandbox(settings, environment);
        // Fails at startup rather than at the first call, since operators rely on the level.
        sandbox.ifPresent(level -> Plugins.requireAvailable(level, settings, environment));
        var upstream = Upstream.create(parts, changed -> onListChanged.accept(settings.name(), changed));
        var stages = ServerStages.of(upstream, plugins.stages(), defaults);
        upstream.listen(stages);
        Function<RetryAndTimeoutPolicies, Next> handlers = attempts -> stages.handler(attempts, suspendedCalls);
        return new ServerRoute(
                upstream, handlers.apply(policy), handlers, () -> stages.calls().underWay(), stages::readings, sandbox);
    }

    private RetryAndTimeoutPolicies attemptPolicy(ServerSettings settings, String defaultPolicy) {
        var tools = new LinkedHashMap<String, RetryAndTimeoutPolicies.Rule>();
        settings.tools()
                .forEach((name, tool) -> tools.put(
                        name,
                        new RetryAndTimeoutPolicies.Rule(
                                policy(tool.retry().policy(), tool.policySection(), defaultPolicy), tool.timeout())));
        var policy = policy(settings.retry().policy(), settings.policySection(), defaultPolicy);
        return new RetryAndTimeoutPolicies(new RetryAndTimeoutPolicies.Rule(policy, settings.timeout()), tools);
    }

    /**
     * Creates a retry policy.
     *
     * @param name the name of the policy, or the empty string for {@code defaultPolicy}
     * @param section the keys that the policy reads
     */
    public RetryPolicy policy(String name, Settings section, String defaultPolicy) {
        return plugins.policy(Plugins.policyName(name, defaultPolicy), section, environment);
    }
}

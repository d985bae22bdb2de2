package io.mcpbridge.routing;

import io.mcpbridge.call.Handler;
import io.mcpbridge.config.ParkingSettings;
import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.translate.ParkedCalls;
import io.mcpbridge.translate.Translation;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.UpstreamParts;
import io.mcpbridge.upstream.health.StartGate;
import io.mcpbridge.upstream.introduction.Identity;
import io.mcpbridge.upstream.lists.UpstreamLists;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes routes from the configuration; the library and the daemon use the same. Any thread. */
public final class Servers {
    private final Environment environment;
    private final Plugins plugins;
    private final EventBus events;
    private final ToolCatalog catalog;
    private final Identity identity;
    private final Consumer<Notification> onListChanged;
    private final ParkedCalls parked;
    private final StartGate gate;
    private volatile Bystanders bystanders;
    private volatile ToolNaming names = ToolNaming.PLAIN;
    private volatile Settings usual = Settings.of(Map.of());

    /**
     * Makes the maker.
     *
     * @param onListChanged hears the {@code list_changed} of a kind when a server lists something else than before
     */
    public Servers(
            Environment environment,
            Plugins plugins,
            EventBus events,
            ToolCatalog catalog,
            Identity identity,
            Consumer<Notification> onListChanged) {
        this.environment = environment;
        this.plugins = plugins;
        this.events = events;
        this.catalog = catalog;
        this.identity = identity;
        this.onListChanged = onListChanged;
        this.gate = new StartGate(environment.timekeeper());
        this.parked = new ParkedCalls(ParkingSettings.DEFAULTS, environment);
        this.bystanders = Bystanders.of(List.of(), environment.logger());
    }

    /** Says who watches what belongs to no call; before the first route is made. */
    public void watchedBy(Bystanders newBystanders) {
        bystanders = newBystanders;
    }

    /** Says how clients see the names of tools: what breaks the rule so is left out of what is listed from now on. */
    public void shownAs(ToolNaming newNames) {
        names = newNames;
    }

    /** Says what stands in the section of every server that does not say otherwise; before the first route is made. */
    public void usually(Settings section) {
        usual = section;
    }

    /** The calls of all servers that wait for their clients. */
    public ParkedCalls parked() {
        return parked;
    }

    /**
     * Makes one route, which connects to nothing yet.
     *
     * @param defaultPolicy the name of the retry policy where the server names none
     * @throws io.mcpbridge.failure.ConfigurationException if its transport or its policy is not there, or its
     *     settings are wrong
     */
    public Route open(ServerSettings settings, UpstreamParts.Reconnecting reconnecting, String defaultPolicy) {
        // So that wrong settings are told now and not by the first call.
        checkKeys(settings);
        var provider = settings.settings().locate(() -> plugins.transports().named(settings.type()));
        var patience = patience(settings, defaultPolicy);
        var parts = new UpstreamParts(
                settings,
                section -> provider.create(section, environment),
                environment,
                events,
                catalog,
                identity,
                gate,
                bystanders,
                reconnecting,
                policyName(settings.retry(), defaultPolicy),
                () -> names);
        var sandbox = provider.sandbox(settings.settingsOfCalls(), environment);
        sandbox.ifPresent(level -> require(settings.name(), level));
        var upstream = new Upstream(parts);
        var lists = new UpstreamLists(upstream, caller -> caller, onListChanged);
        var changes = new StageChanges();
        upstream.onNotification((caller, notification) -> {
            changes.notified(notification.method());
            lists.changed(caller, notification);
        });
        upstream.onReconnected(() -> {
            changes.reconnected();
            lists.listAgain();
        });
        var stages = ServerStages.of(upstream, lists, plugins, changes, usual);
        return new Route(upstream, lists, stages, handler(upstream, stages, patience), sandbox);
    }

    /** Here rather than by the first call: whoever wants a server held relies on it. */
    private void require(String server, SandboxLevel level) {
        environment.launcher().missing(level).ifPresent(why -> {
            throw ConfigurationException.of(
                    "the process of server '%s' is to be held at level %s, which is not to be had here: %s"
                            .formatted(server, level, why));
        });
    }

    /** The server of {@code route} for a call that is repeated otherwise than its section says. */
    public Handler handler(Route route, Patience patience) {
        return handler(route.upstream(), route.stages(), patience);
    }

    /** The server behind its stages and the translation between the eras; see {@link ServerStages} for the order. */
    private Handler handler(Upstream upstream, ServerStages stages, Patience patience) {
        return Translation.of(upstream, stages.handler(patience), parked);
    }

    private Patience patience(ServerSettings settings, String defaultPolicy) {
        var tools = new LinkedHashMap<String, Patience.Rule>();
        settings.tools()
                .forEach((name, tool) ->
                        tools.put(name, new Patience.Rule(policy(tool.retry(), defaultPolicy), tool.timeout())));
        return Patience.of(policy(settings.retry(), defaultPolicy), settings.timeout())
                .withTools(tools);
    }

    /**
     * Lets the transport and the stages read a section without opening anything, so that its keys are known to be
     * theirs.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the transport is not there or settings are wrong
     */
    public void checkKeys(ServerSettings settings) {
        plugins.check(settings, environment);
    }

    private static String policyName(RetrySettings retry, String defaultPolicy) {
        return retry.policy().isEmpty() ? defaultPolicy : retry.policy();
    }

    /** The retry policy that {@code retry} describes; {@code defaultPolicy} where it names none. */
    public RetryPolicy policy(RetrySettings retry, String defaultPolicy) {
        var name = policyName(retry, defaultPolicy);
        var values = new LinkedHashMap<String, Object>();
        if (!name.equals("none")) {
            values.put("max-attempts", retry.maxRetries() + 1);
            values.put("first-delay", retry.delay().toMillis() + "ms");
            values.put("multiplier", retry.multiplier());
        }
        return plugins.retryPolicy(name).create(Settings.of(Map.copyOf(values)), environment);
    }
}

package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.routing.Observers;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Whether a daemon can be made of a configuration, to the last key: the one check for the start, for another
 * configuration at run time and for {@code mcp-bridge check}. Whatever reads a section is made from it and thrown away;
 * nothing is started or connected. Immutable.
 */
public final class ConfigurationCheck {
    private static final String OWN_NAME = "bridge";

    private final Plugins plugins;
    private final Environment environment;
    private final DaemonOptions options;

    ConfigurationCheck(Plugins plugins, Environment environment, DaemonOptions options) {
        this.plugins = plugins;
        this.environment = environment;
        this.options = options;
    }

    /**
     * Reads a file for a daemon.
     *
     * @throws ConfigurationException with every mistake, if there is one for which the daemon would not start: mistakes
     *     of a server's transport, stages and retry policies alone are not, since the server is left out then
     */
    public static BridgeConfiguration toServe(Path file, Map<String, String> variables) {
        return toServe(file, variables, DaemonOptions.DEFAULTS);
    }

    /** The same for a daemon with options; what they override in the file is not looked at. */
    public static BridgeConfiguration toServe(Path file, Map<String, String> variables, DaemonOptions options) {
        try (var standard = StandardEnvironment.open()) {
            var check = new ConfigurationCheck(Plugins.found(), standard.environment(), options);
            return BridgeConfiguration.read(file, variables, check::ofStart);
        } catch (ConfigurationException refused) {
            // Read again, so that the mistakes of servers are told together with the others.
            throw mistakes(file, variables, options, refused);
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException with every mistake, those of servers too
     */
    public static BridgeConfiguration ofEverything(Path file, Map<String, String> variables) {
        return ofEverything(file, variables, DaemonOptions.DEFAULTS);
    }

    private static BridgeConfiguration ofEverything(Path file, Map<String, String> variables, DaemonOptions options) {
        try (var standard = StandardEnvironment.open()) {
            var check = new ConfigurationCheck(Plugins.found(), standard.environment(), options);
            return BridgeConfiguration.read(file, variables, read -> check.ofAll(read, read.servers()));
        }
    }

    private static ConfigurationException mistakes(
            Path file, Map<String, String> variables, DaemonOptions options, ConfigurationException refused) {
        try {
            var unused = ofEverything(file, variables, options);
            return refused;
        } catch (ConfigurationException all) {
            return all;
        }
    }

    private List<String> ofAll(BridgeConfiguration configuration, List<ServerSettings> servers) {
        var mistakes = new ArrayList<>(ofStart(configuration));
        mistakes.addAll(plugins.mistakes(servers, environment));
        return mistakes;
    }

    private List<String> ofStart(BridgeConfiguration configuration) {
        return ofBridge(configuration, options.overriding(configuration.bridge().listeners()));
    }

    /**
     * Lets nothing pass for which the daemon would not start.
     *
     * @throws ConfigurationException with every such mistake
     */
    static void requireStart(BridgeConfiguration configuration, DaemonOptions options, Plugins plugins) {
        try (var standard = StandardEnvironment.open()) {
            var environment = options.environment().orElseGet(standard::environment);
            var listeners = options.listeners(configuration.bridge().listeners());
            var check = new ConfigurationCheck(plugins, environment, options);
            refuse(check.ofBridge(configuration, listeners));
            // Before anything is made, so that a start which is refused leaves nothing behind.
            refuse(check.ofListeners(listeners, Listener::check));
        }
    }

    /**
     * Lets nothing pass that a daemon cannot take while it runs.
     *
     * @param isLeftOut says of a server that the daemon does without it already, whose mistakes are put up with
     * @param changes what cannot be changed while it runs, in sentences
     * @throws ConfigurationException with every other mistake
     */
    void requireReload(BridgeConfiguration configuration, Predicate<ServerSettings> isLeftOut, List<String> changes) {
        var expected =
                configuration.servers().stream().filter(isLeftOut.negate()).toList();
        var mistakes = new ArrayList<>(ofAll(configuration, expected));
        mistakes.addAll(changes);
        refuse(mistakes);
    }

    private static void refuse(List<String> mistakes) {
        if (!mistakes.isEmpty()) {
            throw ConfigurationException.ofAll(mistakes);
        }
    }

    /** The mistakes in what is chosen for the whole daemon. */
    private List<String> ofBridge(BridgeConfiguration configuration, Map<String, Settings> listeners) {
        var mistakes = new ArrayList<String>();
        var sections = configuration.bridge().plugIns();
        if (configuration.bridge().searchTools().isUsed()
                && configuration.server(OWN_NAME).isPresent()) {
            mistakes.add(("the server '%s' must have another name where 'search-tools' is on, since names that begin"
                            + " with '%s__' are those of the bridge's own tools then")
                    .formatted(OWN_NAME, OWN_NAME));
        }
        collect(mistakes, () -> PlugInChoice.of(sections, options, plugins));
        collect(
                mistakes,
                () -> CatalogChoice.of(configuration).make(environment).close());
        collect(mistakes, () -> Observers.check(sections.telemetry()));
        mistakes.addAll(ofListeners(listeners, listener -> {}));
        return mistakes;
    }

    private List<String> ofListeners(Map<String, Settings> listeners, Consumer<Listener> check) {
        var mistakes = new ArrayList<String>();
        var found = Providers.of(ListenerProvider.class);
        listeners.forEach((name, section) -> collect(mistakes, () -> {
            try (var listener = section.locate(() -> found.named(name)).create(section, environment)) {
                check.accept(listener);
            }
        }));
        return mistakes;
    }

    private static void collect(List<String> mistakes, Runnable making) {
        try {
            making.run();
        } catch (ConfigurationException wrong) {
            mistakes.addAll(wrong.problems());
        }
    }
}

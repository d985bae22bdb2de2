package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks a configuration completely: at the start, at a reload and for {@code mcp-bridge check}. It creates each
 * plug-in from its section and discards it; nothing is started or connected. Immutable.
 */
public final class ConfigurationCheck {
    private static final String RESERVED_NAME = "bridge";

    private final Plugins plugins;
    private final Environment environment;
    private final DaemonOptions options;

    ConfigurationCheck(Plugins plugins, Environment environment, DaemonOptions options) {
        this.plugins = plugins;
        this.environment = environment;
        this.options = options;
    }

    /**
     * Reads a file for a daemon with options; sections that they override are not checked.
     *
     * @throws ConfigurationException with every mistake, if one of them prevents the start. Mistakes in the transport,
     *     stages and retry policies of a server do not: the daemon starts without that server.
     */
    public static BridgeConfiguration toServe(Path file, Map<String, String> variables, DaemonOptions options) {
        try {
            return BridgeConfiguration.read(file, variables, read -> {
                try (var standard = StandardEnvironment.open()) {
                    new ConfigurationCheck(Plugins.found(), standard.environment(), options).ofStart(read);
                }
            });
        } catch (ConfigurationException refused) {
            // Read again, to report the mistakes of servers together with the others.
            var unused = ofEverything(file, variables, options);
            throw refused;
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException with every mistake, including those of servers
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

    private void ofAll(BridgeConfiguration configuration, List<ServerSettings> servers) {
        var mistakes = new MistakeCollector();
        mistakes.check(() -> ofStart(configuration));
        var retry = configuration.bridge().plugIns().retry();
        var policy = mistakes.collect(() -> PlugInChoice.retryPolicy(retry, plugins));
        mistakes.check(() -> plugins.check(servers, policy.orElse("none"), environment));
        mistakes.throwIfAny();
    }

    private void ofStart(BridgeConfiguration configuration) {
        ofBridge(configuration, options.overriding(configuration.bridge().listeners()));
    }

    /**
     * Requires that the daemon can start.
     *
     * @throws ConfigurationException with every mistake that prevents the start
     */
    static void requireStart(BridgeConfiguration configuration, DaemonOptions options, Plugins plugins) {
        try (var standard = StandardEnvironment.open()) {
            var environment = options.environment().orElseGet(standard::environment);
            var listeners = options.listeners(configuration.bridge().listeners());
            var check = new ConfigurationCheck(plugins, environment, options);
            check.ofBridge(configuration, listeners);
            // Before anything is created, so that a failed start leaves no files behind.
            check.ofListeners(listeners, Listener::check);
        }
    }

    /**
     * Requires that a running daemon can apply the configuration.
     *
     * @param isLeftOut whether the daemon already runs without a server; mistakes of such a server are ignored
     * @param changes changes that need a restart, one sentence each
     * @throws ConfigurationException with every mistake and change
     */
    void requireReload(BridgeConfiguration configuration, Predicate<ServerSettings> isLeftOut, List<String> changes) {
        var expected =
                configuration.servers().stream().filter(isLeftOut.negate()).toList();
        var mistakes = new MistakeCollector();
        mistakes.check(() -> ofAll(configuration, expected));
        changes.forEach(mistakes::add);
        mistakes.throwIfAny();
    }

    /** Checks the settings of the whole daemon. */
    private void ofBridge(BridgeConfiguration configuration, Map<String, Settings> listeners) {
        var mistakes = new MistakeCollector();
        var sections = configuration.bridge().plugIns();
        if (configuration.bridge().visibility().isSearchUsed()
                && configuration.server(RESERVED_NAME).isPresent()) {
            mistakes.add(("the server '%s' must have another name if 'search-tools' is on, because the names of the"
                            + " bridge's own tools begin with '%s__'")
                    .formatted(RESERVED_NAME, RESERVED_NAME));
        }
        mistakes.check(() -> PlugInChoice.of(sections, options, plugins));
        mistakes.check(
                () -> ConfiguredCatalog.of(configuration).make(environment).close());
        mistakes.check(() -> Observers.check(sections.telemetry()));
        mistakes.check(() -> plugins.daemonStages(sections.stages(), "", environment));
        mistakes.check(() -> ofListeners(listeners, listener -> {}));
        mistakes.throwIfAny();
    }

    private void ofListeners(Map<String, Settings> listeners, Consumer<Listener> check) {
        var mistakes = new MistakeCollector();
        var found = Providers.of(ListenerProvider.class);
        listeners.forEach((name, section) -> mistakes.check(() -> {
            try (var listener = section.locate(() -> found.named(name)).create(section, environment)) {
                check.accept(listener);
            }
        }));
        mistakes.throwIfAny();
    }
}

package io.mcpbridge.engine;

import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The providers of transports, retry policies and call stages. Immutable.
 *
 * @param transports by name and by URI scheme
 * @param retryPolicies by name
 * @param stages by name, which is also the key of their sections
 */
public record Plugins(
        Providers<TransportProvider> transports,
        Providers<RetryPolicyProvider> retryPolicies,
        Providers<CallStageProvider> stages) {

    /** Creates a set with no stages beyond the engine's own. */
    public Plugins(Providers<TransportProvider> transports, Providers<RetryPolicyProvider> retryPolicies) {
        this(transports, retryPolicies, Providers.only(CallStageProvider.class, List.of()));
    }

    /** Finds the providers on the class path. */
    public static Plugins found() {
        return new Plugins(
                Providers.of(TransportProvider.class),
                Providers.of(RetryPolicyProvider.class),
                Providers.of(CallStageProvider.class));
    }

    /**
     * Returns the provider for a URI's scheme.
     *
     * @throws ConfigurationException if none serves it; the message lists the schemes that are served
     */
    public TransportProvider transportFor(String scheme) {
        var asked = scheme.toLowerCase(Locale.ROOT);
        return transports.all().stream()
                .filter(provider -> provider.schemes().contains(asked))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        "no transport serves the scheme '%s'; served are %s. Add the artifact of the transport, such as io.mcpbridge:mcp-bridge-transport-http"
                                .formatted(
                                        asked,
                                        transports.all().stream()
                                                .flatMap(provider -> provider.schemes().stream())
                                                .sorted()
                                                .toList())));
    }

    /**
     * Returns the retry policy of this name.
     *
     * @throws ConfigurationException if the policy does not exist; the message names the artifact that is probably
     *     missing
     */
    public RetryPolicyProvider retryPolicy(String name) {
        if (!retryPolicies.names().contains(name)) {
            throw ConfigurationException.of("there is no retry policy '%s'; %s".formatted(name, otherPolicies(name)));
        }
        return retryPolicies.named(name);
    }

    /**
     * Returns the name of the retry policy that the section {@code retry} of the bridge chooses.
     *
     * @param otherwise the name if the section chooses none
     * @throws ConfigurationException with every mistake in the section, or if the policy does not exist
     */
    public String policyOf(Settings section, String otherwise) {
        var name = section.text("policy", otherwise);
        return section.finish(() -> checkedPolicy("policy", name));
    }

    private String checkedPolicy(String key, String name) {
        if (!retryPolicies.names().contains(name)) {
            throw ConfigurationException.of(
                    "'%s' is '%s' but must be a retry policy; %s".formatted(key, name, otherPolicies(name)));
        }
        return name;
    }

    private String otherPolicies(String name) {
        return "%sfound are %s. Add the artifact io.mcpbridge:mcp-bridge-retry or a jar that lists it in META-INF/services/%s, or choose 'none'"
                .formatted(
                        Nearest.question(name, retryPolicies.names()),
                        retryPolicies.names(),
                        RetryPolicyProvider.class.getName());
    }

    /**
     * Creates the daemon-wide stages, which all servers share.
     *
     * @param sections their sections by name
     * @param instance the name of this run of the daemon
     * @throws ConfigurationException with every mistake in the sections
     */
    public Map<Place, CallStage> daemonStages(Settings sections, String instance, Environment environment) {
        return ServerStages.ofDaemon(stages, sections, instance, environment);
    }

    /**
     * Checks the sections of enabled servers without opening a server.
     *
     * @throws ConfigurationException with the mistakes in them
     */
    public void check(List<ServerSettings> servers, Environment environment) {
        var mistakes = new MistakeCollector();
        servers.stream()
                .filter(ServerSettings::enabled)
                .forEach(server -> mistakes.check(() -> check(server, environment)));
        mistakes.throwIfAny();
    }

    /**
     * Checks the section of a server with its transport and its stages, without opening the server.
     *
     * @throws ConfigurationException with the mistakes in it, or if the transport does not exist
     */
    public void check(ServerSettings server, Environment environment) {
        var mistakes = new MistakeCollector();
        var section = server.settings();
        mistakes.check(() -> section.locate(() -> transports.named(server.type()))
                .create(section, environment)
                .close());
        mistakes.check(() -> checkPolicy(section, server.retry()));
        server.tools()
                .forEach((name, tool) -> mistakes.check(
                        () -> checkPolicy(section.section("tools").section(name), tool.retry())));
        mistakes.check(() -> ServerStages.check(stages, server.name(), section, environment));
        mistakes.throwIfAny();
    }

    /**
     * Checks the named policy. A section without one inherits the policy of the enclosing section, which is checked
     * there.
     */
    private void checkPolicy(Settings section, RetrySettings retry) {
        if (section.text("retry").isPresent()) {
            section.locate(() -> checkedPolicy("retry", retry.policy()));
        }
    }
}

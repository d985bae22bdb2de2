package io.mcpbridge.routing;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.TransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The providers that servers are made with. Immutable.
 *
 * @param transports by name and by URI scheme
 * @param retryPolicies by name
 * @param stages by name, which is also the key of their sections
 */
public record Plugins(
        Providers<TransportProvider> transports,
        Providers<RetryPolicyProvider> retryPolicies,
        Providers<CallStageProvider> stages) {

    /** Without stages beyond the engine's own. */
    public Plugins(Providers<TransportProvider> transports, Providers<RetryPolicyProvider> retryPolicies) {
        this(transports, retryPolicies, Providers.only(CallStageProvider.class, List.of()));
    }

    /** What the class path holds. */
    public static Plugins found() {
        return new Plugins(
                Providers.of(TransportProvider.class),
                Providers.of(RetryPolicyProvider.class),
                Providers.of(CallStageProvider.class));
    }

    /**
     * The provider for a URI's scheme.
     *
     * @throws ConfigurationException if none serves it; the message lists the schemes that are
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
     * The retry policy of this name.
     *
     * @throws ConfigurationException if it is not there; the message names the artifact that usually is missing
     */
    public RetryPolicyProvider retryPolicy(String name) {
        if (!retryPolicies.names().contains(name)) {
            throw ConfigurationException.of(
                    "there is no retry policy '%s'; found are %s. Add the artifact io.mcpbridge:mcp-bridge-retry, or choose 'none'"
                            .formatted(name, retryPolicies.names()));
        }
        return retryPolicies.named(name);
    }

    /**
     * Lets the transport and the stages of a server read its section, and opens nothing.
     *
     * @throws ConfigurationException with the mistakes in it, or if its transport is not there
     */
    public void check(ServerSettings server, Environment environment) {
        var problems = new ArrayList<String>();
        collect(
                problems,
                () -> transports
                        .named(server.type())
                        .create(server.settings(), environment)
                        .close());
        collect(problems, () -> StageChoice.check(stages, server.name(), server.settings(), environment));
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
    }

    private static void collect(List<String> problems, Runnable reading) {
        try {
            reading.run();
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
        }
    }
}

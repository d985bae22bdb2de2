package io.mcpbridge.routing;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.TransportProvider;
import java.util.Locale;

/**
 * The providers that servers are made with. Immutable.
 *
 * @param transports by name and by URI scheme
 * @param retryPolicies by name
 */
public record Plugins(Providers<TransportProvider> transports, Providers<RetryPolicyProvider> retryPolicies) {

    /** What the class path holds. */
    public static Plugins found() {
        return new Plugins(Providers.of(TransportProvider.class), Providers.of(RetryPolicyProvider.class));
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
}

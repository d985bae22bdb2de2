package io.mcpbridge.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;

/**
 * Binds one {@link Bridge} and the {@link Providers} of each extension point, found once on the class path.
 *
 * <p>The program binds a {@link BridgeConfiguration}, or installs {@link ConfigurationFileModule}. The program also
 * closes the bridge, since Guice does not. It replaces providers with {@code Modules.override}.
 */
public final class BridgeModule extends AbstractModule {

    @Provides
    @Singleton
    Bridge bridge(
            BridgeConfiguration configuration,
            Providers<TransportProvider> transports,
            Providers<RetryPolicyProvider> retryPolicies,
            Providers<CallStageProvider> stages) {
        return Bridge.open(
                configuration,
                BridgeOptions.DEFAULTS
                        .withTransports(transports)
                        .withRetryPolicies(retryPolicies)
                        .withStages(stages));
    }

    @Provides
    EventBus events(Bridge bridge) {
        return bridge.events();
    }

    @Provides
    @Singleton
    Providers<CallStageProvider> stages() {
        return Providers.of(CallStageProvider.class);
    }

    @Provides
    @Singleton
    Providers<TransportProvider> transports() {
        return Providers.of(TransportProvider.class);
    }

    @Provides
    @Singleton
    Providers<RetryPolicyProvider> retryPolicies() {
        return Providers.of(RetryPolicyProvider.class);
    }

    @Provides
    @Singleton
    Providers<ListenerProvider> listeners() {
        return Providers.of(ListenerProvider.class);
    }

    @Provides
    @Singleton
    Providers<AuditSinkProvider> auditSinks() {
        return Providers.of(AuditSinkProvider.class);
    }

    @Provides
    @Singleton
    Providers<ToolCatalogProvider> catalogs() {
        return Providers.of(ToolCatalogProvider.class);
    }
}

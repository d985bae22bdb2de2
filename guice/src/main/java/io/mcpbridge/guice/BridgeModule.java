package io.mcpbridge.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.OptionalBinder;
import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.spi.TransportProvider;
import java.util.Optional;

/**
 * Binds one {@link Bridge} and the {@link Providers} of each extension point, found once on the class path.
 *
 * <p>The program binds a {@link BridgeConfiguration}, or installs {@link ConfigurationFileModule}. The program also
 * closes the bridge, since Guice does not. It may bind {@link BridgeOptions} with its handlers and observers; the providers
 * are those of this module, which it replaces with {@code Modules.override}.
 */
public final class BridgeModule extends AbstractModule {

    @Override
    protected void configure() {
        OptionalBinder.newOptionalBinder(binder(), BridgeOptions.class);
        bindProviders(new TypeLiteral<Providers<CallStageProvider>>() {}, CallStageProvider.class);
        bindProviders(new TypeLiteral<Providers<TransportProvider>>() {}, TransportProvider.class);
        bindProviders(new TypeLiteral<Providers<RetryPolicyProvider>>() {}, RetryPolicyProvider.class);
        bindProviders(new TypeLiteral<Providers<ListenerProvider>>() {}, ListenerProvider.class);
        bindProviders(new TypeLiteral<Providers<AuditSinkProvider>>() {}, AuditSinkProvider.class);
        bindProviders(new TypeLiteral<Providers<ToolCatalogProvider>>() {}, ToolCatalogProvider.class);
    }

    private <P extends Provider> void bindProviders(TypeLiteral<Providers<P>> type, Class<P> service) {
        bind(type).toProvider(() -> Providers.of(service)).in(Singleton.class);
    }

    @Provides
    @Singleton
    Bridge bridge(
            BridgeConfiguration configuration,
            Optional<BridgeOptions> options,
            Providers<TransportProvider> transports,
            Providers<RetryPolicyProvider> retryPolicies,
            Providers<CallStageProvider> stages) {
        return Bridge.open(
                configuration,
                options.orElse(BridgeOptions.DEFAULTS)
                        .withTransports(transports)
                        .withRetryPolicies(retryPolicies)
                        .withStages(stages));
    }

    @Provides
    EventBus events(Bridge bridge) {
        return bridge.events();
    }
}

package io.mcpbridge;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.TransportProvider;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options of a {@link Bridge} beyond its configuration. Immutable; start from {@link #DEFAULTS}. */
public final class BridgeOptions {
    public static final BridgeOptions DEFAULTS = new BridgeOptions();

    private @Nullable Environment environment;
    private @Nullable Providers<TransportProvider> transports;
    private @Nullable Providers<RetryPolicyProvider> retryPolicies;
    private @Nullable Providers<CallStageProvider> stages;
    private ServerRequestHandlers handlers = ServerRequestHandlers.NONE;
    private List<CallObserver> observers = List.of();
    private boolean checksSchemas = true;

    private BridgeOptions() {}

    private BridgeOptions(BridgeOptions other) {
        environment = other.environment;
        transports = other.transports;
        retryPolicies = other.retryPolicies;
        stages = other.stages;
        handlers = other.handlers;
        observers = other.observers;
        checksSchemas = other.checksSchemas;
    }

    /** Uses the caller's clocks, threads, variables, random source and log. The caller closes them. */
    public BridgeOptions withEnvironment(Environment newEnvironment) {
        return copy(it -> it.environment = Objects.requireNonNull(newEnvironment));
    }

    /** Uses these transports instead of those of the class path. */
    public BridgeOptions withTransports(Providers<TransportProvider> newTransports) {
        return copy(it -> it.transports = Objects.requireNonNull(newTransports));
    }

    /** Uses these retry policies instead of those of the class path. */
    public BridgeOptions withRetryPolicies(Providers<RetryPolicyProvider> newPolicies) {
        return copy(it -> it.retryPolicies = Objects.requireNonNull(newPolicies));
    }

    /** Uses these call stages instead of those of the class path. */
    public BridgeOptions withStages(Providers<CallStageProvider> newStages) {
        return copy(it -> it.stages = Objects.requireNonNull(newStages));
    }

    /**
     * Answers servers that ask the user for input: by forms, and by URLs if the handler {@linkplain
     * ElicitationHandler#acceptsUrls() accepts} them. Without a handler the program does not declare the capability.
     */
    public BridgeOptions withElicitationHandler(ElicitationHandler handler) {
        return copy(it -> it.handlers = handlers.withElicitation(handler));
    }

    /** Answers servers that ask for a message of a language model. */
    public BridgeOptions withSamplingHandler(SamplingHandler handler) {
        return copy(it -> it.handlers = handlers.withSampling(handler));
    }

    /** Answers servers that ask for the folders they may work on. */
    public BridgeOptions withRootsHandler(RootsHandler handler) {
        return copy(it -> it.handlers = handlers.withRoots(handler));
    }

    /** Adds an observer of calls, such as for telemetry. The caller closes it after the bridge. */
    public BridgeOptions withObserver(CallObserver observer) {
        Objects.requireNonNull(observer);
        return copy(it -> it.observers =
                Stream.concat(observers.stream(), Stream.of(observer)).toList());
    }

    /**
     * Checks neither arguments nor results against schemas, unless the configuration has a section {@code
     * schema-check}.
     */
    public BridgeOptions withoutSchemaCheck() {
        return copy(it -> it.checksSchemas = false);
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(environment);
    }

    Plugins plugins() {
        return new Plugins(
                transports == null ? Providers.of(TransportProvider.class) : transports,
                retryPolicies == null ? Providers.of(RetryPolicyProvider.class) : retryPolicies,
                stages == null ? Providers.of(CallStageProvider.class) : stages);
    }

    boolean checksSchemas() {
        return checksSchemas;
    }

    List<CallObserver> observers() {
        return observers;
    }

    ServerRequestHandlers handlers() {
        return handlers;
    }

    /** Changes a copy before any other class can see it. */
    private BridgeOptions copy(Consumer<BridgeOptions> change) {
        var copy = new BridgeOptions(this);
        change.accept(copy);
        return copy;
    }
}

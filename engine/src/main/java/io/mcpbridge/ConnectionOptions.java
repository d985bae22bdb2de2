package io.mcpbridge;

import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link Connection}. Immutable; start from {@link #DEFAULTS}.
 *
 * <p>The default retry policy is {@code exponential}, with 3 attempts and pauses of 1 s and 2 s. It needs the artifact
 * {@code mcp-bridge-retry}; choose {@code none} without it.
 */
public final class ConnectionOptions {
    public static final ConnectionOptions DEFAULTS =
            new ConnectionOptions(Map.of(), null, List.of(), "", ServerRequestHandlers.NONE, List.of());

    private final Map<String, Object> settings;
    private final @Nullable Environment environment;
    private final List<TransportProvider> transports;
    private final String clientId;
    private final ServerRequestHandlers handlers;
    private final List<CallObserver> observers;

    private ConnectionOptions(
            Map<String, Object> settings,
            @Nullable Environment environment,
            List<TransportProvider> transports,
            String clientId,
            ServerRequestHandlers handlers,
            List<CallObserver> observers) {
        this.settings = settings;
        this.environment = environment;
        this.transports = transports;
        this.clientId = clientId;
        this.handlers = handlers;
        this.observers = observers;
    }

    /** How long the handshake and each attempt may take; longer than zero. */
    public ConnectionOptions withTimeout(Duration timeout) {
        return with("timeoutMs", Math.toIntExact(timeout.toMillis()));
    }

    /** The most attempts of a call, 1 to 101. */
    public ConnectionOptions withMaxAttempts(int maxAttempts) {
        return with("max-retries", maxAttempts - 1);
    }

    /** The pause before the second attempt; later ones double. */
    public ConnectionOptions withRetryDelay(Duration delay) {
        return with("retryDelayMs", Math.toIntExact(delay.toMillis()));
    }

    /** The retry policy by name: {@code exponential}, {@code safe} or {@code none}. */
    public ConnectionOptions withRetryPolicy(String name) {
        return with("retry", name);
    }

    /** Neither lists the tools when connecting nor checks arguments and results against their schemas. */
    public ConnectionOptions withoutSchemaCheck() {
        return with(Connection.SCHEMA_CHECK, "none");
    }

    /**
     * One more setting of the connection or its transport, such as {@code headers}. An unknown key is an error
     * when the connection is made.
     */
    public ConnectionOptions with(String key, Object value) {
        var copy = new LinkedHashMap<>(settings);
        copy.put(key, value);
        return new ConnectionOptions(copy, environment, transports, clientId, handlers, observers);
    }

    /** Uses the caller's clocks, threads, variables, random source and log. The caller closes them. */
    public ConnectionOptions withEnvironment(Environment newEnvironment) {
        return new ConnectionOptions(settings, newEnvironment, transports, clientId, handlers, observers);
    }

    /** Uses a transport of the caller beside those of the class path. */
    public ConnectionOptions withTransport(TransportProvider provider) {
        return new ConnectionOptions(settings, environment, List.of(provider), clientId, handlers, observers);
    }

    /** The id by which a daemon's operator recognizes this client. */
    public ConnectionOptions withClientId(String newClientId) {
        return new ConnectionOptions(settings, environment, transports, newClientId, handlers, observers);
    }

    /**
     * Answers servers that ask the user for input: by forms, and by URLs if the handler {@linkplain
     * ElicitationHandler#acceptsUrls() accepts} them. Without a handler the program does not declare the capability.
     */
    public ConnectionOptions withElicitationHandler(ElicitationHandler handler) {
        return with(handlers.withElicitation(handler));
    }

    /** Answers servers that ask for a message of a language model. */
    public ConnectionOptions withSamplingHandler(SamplingHandler handler) {
        return with(handlers.withSampling(handler));
    }

    /** Answers servers that ask for the folders they may work on. */
    public ConnectionOptions withRootsHandler(RootsHandler handler) {
        return with(handlers.withRoots(handler));
    }

    /** Adds an observer of calls, such as for telemetry. The caller closes it after the connection. */
    public ConnectionOptions withObserver(CallObserver observer) {
        var copy = new ArrayList<>(observers);
        copy.add(observer);
        return new ConnectionOptions(settings, environment, transports, clientId, handlers, List.copyOf(copy));
    }

    private ConnectionOptions with(ServerRequestHandlers newHandlers) {
        return new ConnectionOptions(settings, environment, transports, clientId, newHandlers, observers);
    }

    List<CallObserver> observers() {
        return observers;
    }

    ServerRequestHandlers handlers() {
        return handlers;
    }

    String clientId() {
        return clientId;
    }

    Map<String, Object> settings() {
        return settings;
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(environment);
    }

    List<TransportProvider> transports() {
        return transports;
    }
}

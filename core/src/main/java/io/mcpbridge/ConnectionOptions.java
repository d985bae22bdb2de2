package io.mcpbridge;

import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.TransportProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Connection} is made. Immutable; {@link #DEFAULTS} with changes.
 *
 * <p>The retry policy is {@code exponential}, of the artifact {@code mcp-bridge-retry}: 3 attempts with pauses of
 * 1 s and 2 s. Without that artifact choose {@code none}.
 */
public final class ConnectionOptions {
    public static final ConnectionOptions DEFAULTS =
            new ConnectionOptions(Map.of(), null, List.of(), "", Map.of(), List.of());

    private final Map<String, Object> settings;
    private final @Nullable Environment environment;
    private final List<TransportProvider> transports;
    private final String clientId;
    private final Map<String, QuestionHandler> handlers;
    private final List<CallObserver> observers;

    private ConnectionOptions(
            Map<String, Object> settings,
            @Nullable Environment environment,
            List<TransportProvider> transports,
            String clientId,
            Map<String, QuestionHandler> handlers,
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

    /** How often a call is tried at the most, 1 to 101. */
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

    /**
     * One more setting of the connection or its transport, such as {@code headers}. A key that nobody knows is refused
     * when the connection is made.
     */
    public ConnectionOptions with(String key, Object value) {
        var copy = new LinkedHashMap<>(settings);
        copy.put(key, value);
        return new ConnectionOptions(copy, environment, transports, clientId, handlers, observers);
    }

    /** Clocks, threads, variables, randomness and log of the caller's own, who also closes them. */
    public ConnectionOptions withEnvironment(Environment newEnvironment) {
        return new ConnectionOptions(settings, newEnvironment, transports, clientId, handlers, observers);
    }

    /** A transport of the caller's own, which serves its schemes beside those of the class path. */
    public ConnectionOptions withTransport(TransportProvider provider) {
        return new ConnectionOptions(settings, environment, List.of(provider), clientId, handlers, observers);
    }

    /** The id by which a daemon's operator recognizes this client. */
    public ConnectionOptions withClientId(String newClientId) {
        return new ConnectionOptions(settings, environment, transports, newClientId, handlers, observers);
    }

    /**
     * Answers servers that ask the user something, by forms unless the handler says more; without a handler they are told that nobody can be
     * asked.
     */
    public ConnectionOptions withElicitationHandler(QuestionHandler handler) {
        return with(Methods.ELICITATION_CREATE, handler);
    }

    /** Answers servers that ask for a completion of a language model. */
    public ConnectionOptions withSamplingHandler(QuestionHandler handler) {
        return with(Methods.SAMPLING_CREATE_MESSAGE, handler);
    }

    /** Answers servers that ask which folders they may work on. */
    public ConnectionOptions withRootsHandler(QuestionHandler handler) {
        return with(Methods.ROOTS_LIST, handler);
    }

    /** One more who watches calls, such as for telemetry; the caller closes it after the connection. */
    public ConnectionOptions withObserver(CallObserver observer) {
        var copy = new ArrayList<>(observers);
        copy.add(observer);
        return new ConnectionOptions(settings, environment, transports, clientId, handlers, List.copyOf(copy));
    }

    private ConnectionOptions with(String method, QuestionHandler handler) {
        var copy = new LinkedHashMap<>(handlers);
        copy.put(method, Objects.requireNonNull(handler));
        return new ConnectionOptions(settings, environment, transports, clientId, copy, observers);
    }

    List<CallObserver> observers() {
        return observers;
    }

    Map<String, QuestionHandler> handlers() {
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

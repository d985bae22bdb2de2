package io.mcpbridge;

import io.mcpbridge.message.Methods;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a {@link Bridge} is opened beside what its configuration says. Immutable; {@link #DEFAULTS} with changes. */
public final class BridgeOptions {
    public static final BridgeOptions DEFAULTS = new BridgeOptions(null, null, Map.of(), List.of(), true);

    private final @Nullable Environment environment;
    private final @Nullable Plugins plugins;
    private final Map<String, QuestionHandler> handlers;
    private final List<CallObserver> observers;
    private final boolean checksSchemas;

    private BridgeOptions(
            @Nullable Environment environment,
            @Nullable Plugins plugins,
            Map<String, QuestionHandler> handlers,
            List<CallObserver> observers,
            boolean checksSchemas) {
        this.environment = environment;
        this.plugins = plugins;
        this.handlers = handlers;
        this.observers = observers;
        this.checksSchemas = checksSchemas;
    }

    /** Clocks, threads, variables, randomness and log of the caller's own, who also closes them. */
    public BridgeOptions withEnvironment(Environment newEnvironment) {
        return new BridgeOptions(Objects.requireNonNull(newEnvironment), plugins, handlers, observers, checksSchemas);
    }

    /** Providers of the caller's own instead of those of the class path. */
    public BridgeOptions withPlugins(Plugins newPlugins) {
        return new BridgeOptions(environment, Objects.requireNonNull(newPlugins), handlers, observers, checksSchemas);
    }

    /** Answers servers that ask the user something, by forms unless the handler says more; without a handler they are told that nobody can be asked. */
    public BridgeOptions withElicitationHandler(QuestionHandler handler) {
        return with(Methods.ELICITATION_CREATE, handler);
    }

    /** Answers servers that ask for a completion of a language model. */
    public BridgeOptions withSamplingHandler(QuestionHandler handler) {
        return with(Methods.SAMPLING_CREATE_MESSAGE, handler);
    }

    /** Answers servers that ask which folders they may work on. */
    public BridgeOptions withRootsHandler(QuestionHandler handler) {
        return with(Methods.ROOTS_LIST, handler);
    }

    /** One more who watches calls, such as for telemetry; the caller closes it after the bridge. */
    public BridgeOptions withObserver(CallObserver observer) {
        var copy = new ArrayList<>(observers);
        copy.add(observer);
        return new BridgeOptions(environment, plugins, handlers, List.copyOf(copy), checksSchemas);
    }

    /** Compares neither arguments nor results with schemas, unless the configuration has a section {@code schema-check}. */
    public BridgeOptions withoutSchemaCheck() {
        return new BridgeOptions(environment, plugins, handlers, observers, false);
    }

    private BridgeOptions with(String method, QuestionHandler handler) {
        var copy = new LinkedHashMap<>(handlers);
        copy.put(method, Objects.requireNonNull(handler));
        return new BridgeOptions(environment, plugins, copy, observers, checksSchemas);
    }

    Optional<Environment> environment() {
        return Optional.ofNullable(environment);
    }

    Plugins plugins() {
        return plugins == null ? Plugins.found() : plugins;
    }

    boolean checksSchemas() {
        return checksSchemas;
    }

    List<CallObserver> observers() {
        return observers;
    }

    Map<String, QuestionHandler> handlers() {
        return handlers;
    }
}

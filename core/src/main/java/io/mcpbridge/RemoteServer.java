package io.mcpbridge;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.event.EventBus.Subscription;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.routing.Route;
import io.mcpbridge.tool.PromptResult;
import io.mcpbridge.tool.ReadResult;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.lists.ListItem;
import io.mcpbridge.upstream.lists.UpstreamList;
import io.mcpbridge.upstream.lists.UpstreamLists;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What one server has beside tools: resources, prompts, completion, its log and a sign of life. {@link Bridge#server} and {@link
 * Connection#server} make it; it lives as long as they do. Any thread may use it.
 *
 * <p>Each method throws a {@link io.mcpbridge.failure.CallException} if the server answers with an error or not at all;
 * the futures of the others end with it. Cancelling a future withdraws its request.
 */
public final class RemoteServer {
    private final Engine engine;
    private final Supplier<Route> route;

    RemoteServer(Engine engine, Supplier<Route> route) {
        this.engine = engine;
        this.route = route;
    }

    /**
     * Asks for a sign of life.
     *
     * @return how long the answer took
     */
    public Duration ping() throws InterruptedException {
        var begun = engine.timekeeper().nanoTime();
        var failed = engine.ping(route.get());
        if (failed.isPresent()) {
            throw CallException.of(failed.get());
        }
        return Duration.ofNanos(engine.timekeeper().nanoTime() - begun);
    }

    /**
     * Hears what the server logs while it works for this program, until the subscription is closed. The server is told
     * with the next call that somebody listens.
     *
     * @param mildest what is less severe is not heard
     * @param listener hears the raw JSON of the params of {@code notifications/message}, on a thread that it must not
     *     keep
     */
    public Subscription onLog(LogLevel mildest, Consumer<String> listener) {
        return engine.counterpart(route.get()).onLog(mildest, listener);
    }

    /** The tools without waiting. The listing is shared with others, so cancelling the future only forgets it. */
    public CompletableFuture<List<ToolDefinition>> listToolsAsync() {
        var asked = route.get();
        return engine.listAsync(asked, asked.tools());
    }

    /** All resources, each as the raw JSON of its description. */
    public List<String> listResources() throws InterruptedException {
        return raw(UpstreamLists::resources);
    }

    /** All templates of resources, each as the raw JSON of its description. */
    public List<String> listResourceTemplates() throws InterruptedException {
        return raw(UpstreamLists::templates);
    }

    public ReadResult readResource(String uri) throws InterruptedException {
        return ReadResult.parse(engine.ask(route.get(), Methods.RESOURCES_READ, Map.of("uri", uri)));
    }

    /** Reads a resource without waiting. */
    public CompletableFuture<ReadResult> readResourceAsync(String uri) {
        return engine.askAsync(route.get(), Methods.RESOURCES_READ, Map.of("uri", uri), ReadResult::parse);
    }

    /**
     * Hears of each change of a resource until the subscription is closed, over reconnections too.
     *
     * @param listener hears the URI that changed, which may be that of a part; on a thread that it must not keep
     */
    public Subscription subscribe(String uri, Consumer<String> listener) throws InterruptedException {
        return engine.subscribe(route.get(), uri, listener);
    }

    /** All prompts, each as the raw JSON of its description. */
    public List<String> listPrompts() throws InterruptedException {
        return raw(UpstreamLists::prompts);
    }

    /** Fills in a prompt. */
    public PromptResult getPrompt(String name, Map<String, String> arguments) throws InterruptedException {
        return PromptResult.parse(engine.ask(route.get(), Methods.PROMPTS_GET, prompt(name, arguments)));
    }

    /** Fills in a prompt without waiting. */
    public CompletableFuture<PromptResult> getPromptAsync(String name, Map<String, String> arguments) {
        return engine.askAsync(route.get(), Methods.PROMPTS_GET, prompt(name, arguments), PromptResult::parse);
    }

    /**
     * Asks how the argument of a prompt or a resource template may go on.
     *
     * @param reference what the argument belongs to, such as {@code Map.of("type", "ref/prompt", "name", "review")}
     * @return the raw JSON of the result, whose {@code completion} has {@code values}
     */
    public String complete(Map<String, String> reference, String argument, String begun) throws InterruptedException {
        var params = Map.of("ref", reference, "argument", Map.of("name", argument, "value", begun));
        return engine.ask(route.get(), Methods.COMPLETION_COMPLETE, params);
    }

    private static Map<String, ?> prompt(String name, Map<String, String> arguments) {
        return Map.of("name", name, "arguments", arguments);
    }

    private List<String> raw(Function<UpstreamLists, UpstreamList<ListItem>> kind) throws InterruptedException {
        var asked = route.get();
        return engine.list(asked, kind.apply(asked.lists())).stream()
                .map(ListItem::json)
                .toList();
    }
}

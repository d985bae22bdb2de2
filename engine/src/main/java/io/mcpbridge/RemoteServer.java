package io.mcpbridge;

import io.mcpbridge.ProgramClient.PendingCall;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.lists.ListItem;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.event.EventBus.Subscription;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.tool.CompletionResult;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.LogMessage;
import io.mcpbridge.tool.Prompt;
import io.mcpbridge.tool.Resource;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The resources, prompts, completion, log and ping of one server. {@link Bridge#server} and {@link Connection#server}
 * return it; it is usable until they close. Any thread may use it.
 *
 * <p>Each method throws a {@link io.mcpbridge.failure.CallException} if the server answers with an error or not at all;
 * a future completes with it. Cancelling a future cancels its request.
 */
public final class RemoteServer {
    private final ProgramEngine engine;
    private final Supplier<ServerRoute> route;

    RemoteServer(ProgramEngine engine, Supplier<ServerRoute> route) {
        this.engine = engine;
        this.route = route;
    }

    /**
     * Sends a ping.
     *
     * @return the time until the answer
     */
    public Duration ping() throws InterruptedException {
        var begun = engine.environment().timekeeper().nanoTime();
        var failed = engine.ping(route.get());
        if (failed.isPresent()) {
            throw CallException.of(failed.get());
        }
        return Duration.ofNanos(engine.environment().timekeeper().nanoTime() - begun);
    }

    /**
     * Receives the log messages that the server sends during calls of this program, until the subscription is closed.
     * The next call of the program sets the log level at the server.
     *
     * @param mildest the lowest severity to receive
     * @param listener runs on a thread of the bridge and must not block
     */
    public Subscription onLog(LogLevel mildest, Consumer<LogMessage> listener) {
        return engine.client(route.get()).onLog(mildest, listener);
    }

    /**
     * Lists the tools without waiting. Other callers share the request, so cancelling the future does not cancel it.
     */
    public CompletableFuture<List<ToolDefinition>> listToolsAsync() {
        var asked = route.get();
        return engine.listAsync(asked, asked.tools());
    }

    /** Lists all resources. */
    public List<Resource> listResources() throws InterruptedException {
        return list(ListKind.RESOURCES, Resource::new);
    }

    /** Lists all resource templates. */
    public List<Resource.Template> listResourceTemplates() throws InterruptedException {
        return list(ListKind.TEMPLATES, Resource.Template::new);
    }

    public Resource.ReadResult readResource(String uri) throws InterruptedException {
        return read(uri).await();
    }

    /** Reads a resource without waiting. */
    public CompletableFuture<Resource.ReadResult> readResourceAsync(String uri) {
        return read(uri).future();
    }

    /**
     * Receives each change of a resource until the subscription is closed, across reconnections too.
     *
     * @param listener receives the URI that changed, which may be that of a part of the resource; it runs on a thread
     *     of the bridge and must not block
     */
    public Subscription subscribe(String uri, Consumer<String> listener) throws InterruptedException {
        return engine.subscribe(route.get(), uri, listener);
    }

    /** Lists all prompts. */
    public List<Prompt> listPrompts() throws InterruptedException {
        return list(ListKind.PROMPTS, Prompt::new);
    }

    /** Fills in a prompt. */
    public Prompt.GetResult getPrompt(String name, Map<String, String> arguments) throws InterruptedException {
        return prompt(name, arguments).await();
    }

    /** Fills in a prompt without waiting. */
    public CompletableFuture<Prompt.GetResult> getPromptAsync(String name, Map<String, String> arguments) {
        return prompt(name, arguments).future();
    }

    /**
     * Asks for values of an argument.
     *
     * @param reference the prompt or resource template that has the argument
     * @param argument the name of the argument
     * @param value the text that the user has typed so far
     */
    public CompletionResult complete(CompletionResult.Reference reference, String argument, String value)
            throws InterruptedException {
        var params = Map.of("ref", reference.json().asMap(), "argument", Map.of("name", argument, "value", value));
        return engine.request(route.get(), Methods.COMPLETION_COMPLETE, params, CompletionResult::parse)
                .await();
    }

    private PendingCall<Resource.ReadResult> read(String uri) {
        return engine.request(route.get(), Methods.RESOURCES_READ, Map.of("uri", uri), Resource.ReadResult::parse);
    }

    private PendingCall<Prompt.GetResult> prompt(String name, Map<String, String> arguments) {
        var params = Map.of("name", name, "arguments", arguments);
        return engine.request(route.get(), Methods.PROMPTS_GET, params, Prompt.GetResult::parse);
    }

    private <T> List<T> list(ListKind<ListItem> kind, Function<Json, T> element) throws InterruptedException {
        var asked = route.get();
        return engine.list(asked, asked.lists().of(kind)).stream()
                .map(item -> element.apply(Json.ofChecked(item.json())))
                .toList();
    }
}

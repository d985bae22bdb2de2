package io.mcpbridge.agents;

import io.mcpbridge.CallOptions;
import io.mcpbridge.agents.MessageFormat.ToolAnswer;
import io.mcpbridge.agents.MessageFormat.ToolDeclaration;
import io.mcpbridge.agents.MessageFormat.ToolUse;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The tools of chosen servers for language models. A model sees each under a name that all APIs accept; this object has the
 * table of these names. Immutable, so any thread may use it. A tool may vanish later; the model then reads of it when it
 * calls it.
 */
public final class AgentTools {
    private static final int MAX_NAME = 64;

    /** The longest schema that is offered, in characters. A longer one fills the context of a model. */
    private static final int MAX_SCHEMA = 100_000;

    /** The most names that an answer lists. */
    private static final int MAX_LISTED = 50;

    private final ToolSource source;
    private final AgentSettings settings;
    private final AgentListener listener;
    private final Map<String, Offered> offered = new LinkedHashMap<>();
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    /**
     * A tool that models see.
     *
     * @param plainNames the names under which models see arguments, by their own names, where they differ
     */
    private record Offered(String server, String tool, ToolDeclaration declaration, Map<String, String> plainNames) {

        /** Reads the arguments that a model wrote; none are an empty object. */
        Map<String, @Nullable Object> arguments(String written) {
            if (written.isBlank() || written.strip().equals("null")) {
                return Map.of();
            }
            var arguments = Json.parse(written).asMap();
            plainNames.forEach((own, plain) -> {
                if (arguments.containsKey(plain)) {
                    arguments.put(own, arguments.remove(plain));
                }
            });
            return arguments;
        }
    }

    AgentTools(
            ToolSource source,
            AgentSettings settings,
            AgentListener listener,
            Map<String, List<ToolDefinition>> tools) {
        this.source = source;
        this.settings = settings;
        this.listener = listener;
        tools.forEach((server, definitions) -> definitions.forEach(tool -> offer(server, tool)));
    }

    /** The same tools, within these bounds and seen by this listener. */
    AgentTools with(AgentSettings newSettings, AgentListener newListener) {
        var same = new AgentTools(source, newSettings, newListener, Map.of());
        same.offered.putAll(offered);
        same.leftOut.putAll(leftOut);
        return same;
    }

    private void offer(String server, ToolDefinition tool) {
        var shown = shown(server, tool.name());
        try {
            var schema = tool.inputSchema().orElse(Json.of(Map.of()));
            if (schema.text().length() > MAX_SCHEMA) {
                leftOut.put(
                        shown,
                        "its schema has %d characters but must have at most %d; ask the author of the server for a shorter one"
                                .formatted(schema.text().length(), MAX_SCHEMA));
                return;
            }
            var rewritten = new ToolSchema(schema.value() instanceof Map<?, ?> members ? members : Map.of());
            var declaration = new ToolDeclaration(
                    name(server, tool.name()), description(shown, tool, rewritten.note()), rewritten.parameters());
            offered.putIfAbsent(
                    declaration.name(), new Offered(server, tool.name(), declaration, rewritten.plainNames()));
        } catch (ProtocolException unreadable) {
            leftOut.put(shown, "its schema cannot be read: " + unreadable.getMessage());
        }
    }

    private static String description(String shown, ToolDefinition tool, String note) {
        var description = tool.description()
                .filter(text -> !text.isBlank())
                .or(tool::title)
                .orElse("The tool " + shown);
        return note.isEmpty() ? description : description + "\n" + note;
    }

    /** The name for models; with a part that depends on the own name, unless that is short and plain. */
    private String name(String server, String tool) {
        var full = server.isEmpty() ? tool : server + "__" + tool;
        var plain = full.replaceAll("[^A-Za-z0-9_-]", "_").replaceFirst("^(?![A-Za-z_])", "_");
        if (plain.equals(full) && plain.length() <= MAX_NAME && !offered.containsKey(plain)) {
            return plain;
        }
        var own = UUID.nameUUIDFromBytes((server + "\n" + tool).getBytes(StandardCharsets.UTF_8));
        var ending = "_" + own.toString().substring(0, 8);
        return plain.substring(0, Math.min(plain.length(), MAX_NAME - ending.length())) + ending;
    }

    private static String shown(String server, String tool) {
        return server.isEmpty() ? tool : server + "." + tool;
    }

    private String shown(ToolUse use) {
        return tool(use.name()).orElse(use.name());
    }

    /** The names that models see, in the order of the servers. */
    public List<String> names() {
        return List.copyOf(offered.keySet());
    }

    /** The tool behind a name that models see, as {@code server.tool}; empty if there is none. */
    public Optional<String> tool(String name) {
        return Optional.ofNullable(offered.get(name)).map(found -> shown(found.server, found.tool));
    }

    /** The tools that models do not see, as {@code server.tool}, with the reason. */
    public Map<String, String> leftOut() {
        return Collections.unmodifiableMap(leftOut);
    }

    /** The definitions for an API: the value of the member {@code tools} of its requests. */
    public Json definitions(ModelFormat format) {
        return Json.of(format.messages().tools(declarations()));
    }

    List<ToolDeclaration> declarations() {
        return offered.values().stream().map(Offered::declaration).toList();
    }

    /**
     * Runs the tool calls of a response, several in parallel, and waits for them; with the settings and the listener of the
     * runner that loaded the tools.
     *
     * @return the items that the next request adds to its conversation after those of the response: the results in the
     *     order of the calls; empty if the response has no calls, or its API cut it off
     * @throws ProtocolException if the response has no message of the model
     */
    public List<Json> answer(ModelFormat format, Json response) throws InterruptedException {
        var calls = format.messages().read(response).calls();
        var answers = run(calls, System.nanoTime() + settings.timeout().toNanos());
        return calls.isEmpty()
                ? List.of()
                : format.messages().results(answers).stream().map(Json::of).toList();
    }

    /** Runs calls until this moment of {@link System#nanoTime}; what has not ended then is cancelled. */
    List<ToolAnswer> run(List<ToolUse> calls, long end) throws InterruptedException {
        var permits = new Semaphore(settings.parallelism());
        var running = new ArrayList<Running>();
        var byUse = new HashMap<ToolUse, Running>();
        try {
            for (var call : calls) {
                var same = call.id().isEmpty() ? null : byUse.get(call);
                var started = same == null ? start(call, permits, end) : same;
                running.add(started);
                byUse.put(call, started);
            }
            var answers = new ArrayList<ToolAnswer>();
            for (var each : running) {
                answers.add(each.await(end));
            }
            return answers;
        } finally {
            running.forEach(Running::cancel);
        }
    }

    private Running start(ToolUse use, Semaphore permits, long end) throws InterruptedException {
        var tool = offered.get(use.name());
        if (tool == null) {
            return rejected(use, noSuchTool(use.name()));
        }
        Map<String, @Nullable Object> arguments;
        try {
            arguments = tool.arguments(use.arguments());
        } catch (ProtocolException wrong) {
            return rejected(use, "The tool did not run. Its arguments must be a JSON object: " + wrong.getMessage());
        }
        if (!permits.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
            return rejected(use, "The tool did not run: the time of the agent is over.");
        }
        listener.started(shown(use), use.arguments());
        var call = call(tool, arguments);
        var answer = call.handle((result, failure) -> {
            permits.release();
            return failure == null
                    ? ended(use, AnswerText.of(result, settings.maxResultLength()), result.isError())
                    : failed(use, failure);
        });
        return new Running(call, answer);
    }

    private String noSuchTool(String written) {
        // No longer name has a near one; comparing it would take long.
        var question = written.length() > MAX_NAME ? "" : Nearest.question(written, offered.keySet());
        return "There is no tool '%s'. %sThe tools are %s%s."
                .formatted(
                        VisibleText.beginning(written, MAX_NAME),
                        question,
                        names().stream().limit(MAX_LISTED).toList(),
                        offered.size() > MAX_LISTED ? " and others" : "");
    }

    private CompletableFuture<ToolResult> call(Offered tool, Map<String, ?> arguments) {
        try {
            return source.callTool(tool.server, tool.tool, arguments, CallOptions.DEFAULTS);
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private Running rejected(ToolUse use, String why) {
        listener.started(shown(use), use.arguments());
        return new Running(new CompletableFuture<>(), CompletableFuture.completedFuture(failed(use, why)));
    }

    private ToolAnswer failed(ToolUse use, Throwable failure) {
        var cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return failed(use, AnswerText.of(cause));
    }

    private ToolAnswer failed(ToolUse use, String why) {
        return ended(use, List.of(AnswerText.within(why, settings.maxResultLength())), true);
    }

    private ToolAnswer ended(ToolUse use, List<Content> content, boolean isError) {
        var answer = new ToolAnswer(use, shown(use), content, isError);
        listener.ended(answer.call());
        return answer;
    }

    /** A call under way, and what the model will read of it. */
    private record Running(CompletableFuture<ToolResult> call, CompletableFuture<ToolAnswer> answer) {

        ToolAnswer await(long end) throws InterruptedException {
            try {
                return answer.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                cancel();
                return answer.join();
            } catch (ExecutionException failed) {
                throw new IllegalStateException("a listener of the agent failed", failed.getCause());
            }
        }

        void cancel() {
            call.cancel(true);
        }
    }
}

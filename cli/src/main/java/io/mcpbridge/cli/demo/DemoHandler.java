package io.mcpbridge.cli.demo;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.Json;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of a demo server: the tools {@code echo}, {@code count} with progress, {@code ask} with an
 * elicitation in the form of the client's era, and {@code fail}; the resource {@code note} and the prompt {@code
 * greet}.
 */
final class DemoHandler implements Handler {
    /** The question of the tool {@code ask}. */
    static final String QUESTION = "What is your name?";

    private static final Duration TICK = Duration.ofMillis(20);
    private static final String TOOLS = """
        {"tools":[
        {"name":"echo","description":"Returns the message and the server's name.","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}},"annotations":{"readOnlyHint":true}},
        {"name":"count","description":"Counts slowly and reports progress.","inputSchema":{"type":"object","properties":{"to":{"type":"integer"}}},"annotations":{"readOnlyHint":true}},
        {"name":"ask","description":"Asks for a name and returns a greeting.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
        {"name":"fail","description":"Returns an error.","inputSchema":{"type":"object"}}]}\
        """.replace("\n", "");
    private static final String PROMPTS =
            "{\"prompts\":[{\"name\":\"greet\",\"arguments\":[{\"name\":\"who\",\"required\":true}]}]}";
    private static final String FAILURE =
            "{\"content\":[{\"type\":\"text\",\"text\":\"this tool always fails\"}],\"isError\":true}";
    private static final String ELICITATION =
            "{\"mode\":\"form\",\"message\":%s,\"requestedSchema\":{\"type\":\"object\","
                            .formatted(JsonStrings.quote(QUESTION))
                    + "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}";

    /** The result of {@code ask} in the modern era, before the client has answered. */
    private static final String INPUT_REQUIRED =
            "{\"resultType\":\"input_required\",\"requestState\":\"asked\",\"inputRequests\":{\"name\":{\"method\":\"elicitation/create\",\"params\":"
                    + ELICITATION + "}}}";

    private final String server;
    private final Timekeeper timekeeper;
    private final AtomicLong calls = new AtomicLong();

    DemoHandler(String server, Timekeeper timekeeper) {
        this.server = server;
        this.timekeeper = timekeeper;
    }

    @Override
    public void handle(Call call, Reply reply) {
        var method = call.request().method();
        switch (method) {
            case Methods.TOOLS_LIST -> answer(call, reply, TOOLS);
            case Methods.TOOLS_CALL -> callTool(call, reply);
            case Methods.RESOURCES_LIST ->
                answer(
                        call,
                        reply,
                        "{\"resources\":[{\"uri\":%s,\"name\":\"note\",\"mimeType\":\"text/plain\"}]}"
                                .formatted(JsonStrings.quote(uri())));
            case Methods.RESOURCES_TEMPLATES_LIST -> answer(call, reply, "{\"resourceTemplates\":[]}");
            case Methods.RESOURCES_READ -> read(call, reply);
            case Methods.PROMPTS_LIST -> answer(call, reply, PROMPTS);
            case Methods.PROMPTS_GET -> prompt(call, reply);
            default -> refuse(reply, ErrorCode.METHOD_NOT_FOUND, "unknown method '%s'".formatted(method));
        }
    }

    private void callTool(Call call, Reply reply) {
        var number = calls.incrementAndGet();
        var arguments = arguments(call);
        switch (call.request().text(MessageField.NAME).orElse("")) {
            case "echo" -> answer(call, reply, text(arguments.getOrDefault("message", "") + "", number));
            case "count" -> count(call, reply, steps(arguments.get("to")), 1);
            case "ask" -> ask(call, reply);
            case "fail" -> answer(call, reply, FAILURE);
            default -> refuse(reply, ErrorCode.INVALID_PARAMS, "unknown tool");
        }
    }

    private static Map<String, @Nullable Object> arguments(Call call) {
        return Json.parse(call.request().raw(MessageField.ARGUMENTS).orElse("{}"))
                .asMap();
    }

    /** Counts with a timer between two steps; no thread is blocked. */
    private void count(Call call, Reply reply, long to, long step) {
        if (call.cancellation().isCancelled()) {
            refuse(reply, ErrorCode.CANCELLED, "cancelled");
            return;
        }
        if (step > to) {
            answer(call, reply, text("counted to " + to, calls.get()));
            return;
        }
        call.request()
                .raw(MessageField.PROGRESS_TOKEN)
                .ifPresent(token -> reply.event(Notification.of(
                        Methods.PROGRESS,
                        "{\"progressToken\":%s,\"progress\":%d,\"total\":%d}".formatted(token, step, to))));
        timekeeper.schedule(TICK, () -> count(call, reply, to, step + 1));
    }

    private static long steps(@Nullable Object to) {
        return to instanceof Number number ? Math.min(number.longValue(), 1_000) : 3;
    }

    private String text(String message, long number) {
        return "{\"content\":[{\"type\":\"text\",\"text\":%s}],\"structuredContent\":{\"server\":%s,\"pid\":%d,\"call\":%d}}"
                .formatted(
                        JsonStrings.quote(message),
                        JsonStrings.quote(server),
                        ProcessHandle.current().pid(),
                        number);
    }

    private static void ask(Call call, Reply reply) {
        if (call.caller().era() == Era.MODERN) {
            var answers = call.request().raw(MessageField.INPUT_RESPONSES);
            if (answers.isPresent()) {
                greet(call, reply, Json.parse(answers.get()).asMap().get("name"));
            } else {
                answer(call, reply, INPUT_REQUIRED);
            }
            return;
        }
        var question = Request.of(MessageId.of("name"), Methods.ELICITATION_CREATE, ELICITATION);
        var asking = Call.of(question, call.caller(), call.correlationId(), call.deadline());
        call.caller().client().handle(asking, outcome -> {
            if (outcome instanceof Outcome.Answered answered) {
                var answer = answered.response().raw(MessageField.RESULT).orElse("{}");
                greet(call, reply, Json.parse(answer).asMap());
            } else {
                reply.complete(outcome);
            }
        });
    }

    /** The answer is {@code {"action": "accept", "content": {"name": …}}} in either era. */
    private static void greet(Call call, Reply reply, @Nullable Object answer) {
        var name = answer instanceof Map<?, ?> accepted && accepted.get("content") instanceof Map<?, ?> content
                ? content.get("name")
                : "stranger";
        var greeting = JsonStrings.quote("Hello, %s!".formatted(name));
        answer(call, reply, "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(greeting));
    }

    private String uri() {
        return "demo://" + server + "/note";
    }

    private void read(Call call, Reply reply) {
        var uri = call.request().text(MessageField.URI).orElse("");
        if (!uri.equals(uri())) {
            refuse(reply, ErrorCode.INVALID_PARAMS, "there is no resource '%s'".formatted(uri));
            return;
        }
        var contents = "{\"contents\":[{\"uri\":%s,\"mimeType\":\"text/plain\",\"text\":%s}]}";
        var text = JsonStrings.quote("a note of the server over " + server);
        answer(call, reply, contents.formatted(JsonStrings.quote(uri), text));
    }

    private static void prompt(Call call, Reply reply) {
        var messages = "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":%s}}]}";
        var text = "Greet %s in one sentence.".formatted(arguments(call).getOrDefault("who", "the user"));
        answer(call, reply, messages.formatted(JsonStrings.quote(text)));
    }

    private static void refuse(Reply reply, ErrorCode code, String why) {
        reply.complete(Outcome.failed(Failure.of(code, why)));
    }

    private static void answer(Call call, Reply reply, String result) {
        reply.complete(Outcome.answered(Response.result(call.request().id(), result)));
    }
}

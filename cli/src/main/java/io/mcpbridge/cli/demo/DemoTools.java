package io.mcpbridge.cli.demo;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.JsonObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The tools of the demonstration's servers: {@code echo}, {@code count} with progress, {@code ask}, which asks the
 * client, and {@code fail}.
 */
final class DemoTools implements Handler {
    private static final Duration TICK = Duration.ofMillis(20);

    private final String server;
    private final Timekeeper timekeeper;
    private final Handler others;
    private final AtomicLong calls = new AtomicLong();

    /** What is not about tools goes to {@code others}. */
    DemoTools(String server, Timekeeper timekeeper, Handler others) {
        this.server = server;
        this.timekeeper = timekeeper;
        this.others = others;
    }

    @Override
    public void handle(Call call, Reply reply) {
        switch (call.request().method()) {
            case Methods.TOOLS_LIST -> answer(call, reply, list());
            case Methods.TOOLS_CALL -> callTool(call, reply);
            default -> others.handle(call, reply);
        }
    }

    private void callTool(Call call, Reply reply) {
        var number = calls.incrementAndGet();
        var arguments = JsonObject.parse(call.request().raw(Part.ARGUMENTS).orElse("{}"));
        switch (call.request().text(Part.NAME).orElse("")) {
            case "echo" -> answer(call, reply, text(arguments.getOrDefault("message", "") + "", number));
            case "count" -> count(call, reply, steps(arguments.get("to")), 1);
            case "ask" -> DemoQuestion.ask(call, reply);
            case "fail" ->
                answer(
                        call,
                        reply,
                        "{\"content\":[{\"type\":\"text\",\"text\":\"this tool always fails\"}],\"isError\":true}");
            default -> reply.done(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, "unknown tool")));
        }
    }

    /** Counts with a pause between two steps, which is an alarm and no waiting thread. */
    private void count(Call call, Reply reply, long to, long step) {
        if (call.cancellation().isCancelled()) {
            reply.done(Outcome.failed(Failure.of(ErrorCode.CANCELLED, "cancelled")));
            return;
        }
        if (step > to) {
            answer(call, reply, text("counted to " + to, calls.get()));
            return;
        }
        call.request()
                .raw(Part.PROGRESS_TOKEN)
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
                        JsonText.quote(message),
                        JsonText.quote(server),
                        ProcessHandle.current().pid(),
                        number);
    }

    private static void answer(Call call, Reply reply, String result) {
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }

    private static String list() {
        return """
            {"tools":[
            {"name":"echo","description":"Returns the message and who answered.","inputSchema":{"type":"object","properties":{"message":{"type":"string"}}},"annotations":{"readOnlyHint":true}},
            {"name":"count","description":"Counts slowly and reports progress.","inputSchema":{"type":"object","properties":{"to":{"type":"integer"}}},"annotations":{"readOnlyHint":true}},
            {"name":"ask","description":"Asks for a name and greets.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
            {"name":"fail","description":"Fails in good order.","inputSchema":{"type":"object"}}]}\
            """.replace("\n", "");
    }
}

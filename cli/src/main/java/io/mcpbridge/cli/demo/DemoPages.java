package io.mcpbridge.cli.demo;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.JsonObject;

/** What the demonstration's servers have beside tools: a resource, {@code note}, and a prompt, {@code greet}. */
final class DemoPages implements Handler {
    private final String server;

    DemoPages(String server) {
        this.server = server;
    }

    @Override
    public void handle(Call call, Reply reply) {
        switch (call.request().method()) {
            case Methods.RESOURCES_LIST ->
                answer(
                        call,
                        reply,
                        "{\"resources\":[{\"uri\":%s,\"name\":\"note\",\"mimeType\":\"text/plain\"}]}"
                                .formatted(JsonText.quote(uri())));
            case Methods.RESOURCES_TEMPLATES_LIST -> answer(call, reply, "{\"resourceTemplates\":[]}");
            case Methods.RESOURCES_READ -> read(call, reply);
            case Methods.PROMPTS_LIST ->
                answer(
                        call,
                        reply,
                        "{\"prompts\":[{\"name\":\"greet\",\"arguments\":[{\"name\":\"who\",\"required\":true}]}]}");
            case Methods.PROMPTS_GET -> prompt(call, reply);
            default ->
                refuse(
                        reply,
                        ErrorCode.METHOD_NOT_FOUND,
                        "unknown method '%s'".formatted(call.request().method()));
        }
    }

    private String uri() {
        return "demo://" + server + "/note";
    }

    private void read(Call call, Reply reply) {
        var uri = call.request().text(Part.URI).orElse("");
        if (uri.equals(uri())) {
            var text = "a note of the server over " + server;
            answer(
                    call,
                    reply,
                    "{\"contents\":[{\"uri\":%s,\"mimeType\":\"text/plain\",\"text\":%s}]}"
                            .formatted(JsonText.quote(uri), JsonText.quote(text)));
        } else {
            refuse(reply, ErrorCode.INVALID_PARAMS, "there is no resource '%s'".formatted(uri));
        }
    }

    private static void prompt(Call call, Reply reply) {
        var arguments = JsonObject.parse(call.request().raw(Part.ARGUMENTS).orElse("{}"));
        var text = "Greet %s in one sentence.".formatted(arguments.getOrDefault("who", "somebody"));
        answer(
                call,
                reply,
                "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":%s}}]}"
                        .formatted(JsonText.quote(text)));
    }

    private static void refuse(Reply reply, ErrorCode code, String why) {
        reply.done(Outcome.failed(Failure.of(code, why)));
    }

    private static void answer(Call call, Reply reply, String result) {
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }
}

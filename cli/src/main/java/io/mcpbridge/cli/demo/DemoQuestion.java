package io.mcpbridge.cli.demo;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.tool.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tool {@code ask}: asks the client for a name before it answers, each in the manner of its era. */
final class DemoQuestion {
    /** What the user is asked. */
    static final String TEXT = "What is your name?";

    private static final String PARAMS = "{\"mode\":\"form\",\"message\":%s,\"requestedSchema\":{\"type\":\"object\","
                    .formatted(JsonText.quote(TEXT))
            + "\"properties\":{\"name\":{\"type\":\"string\"}},\"required\":[\"name\"]}}";

    /** The result of the modern era that says what is to be known before there can be another one. */
    private static final String INPUT_REQUIRED =
            "{\"resultType\":\"input_required\",\"requestState\":\"asked\",\"inputRequests\":{\"name\":{\"method\":\"elicitation/create\",\"params\":"
                    + PARAMS + "}}}";

    private DemoQuestion() {}

    static void ask(Call call, Reply reply) {
        if (call.caller().era() == Era.MODERN) {
            askModern(call, reply);
        } else {
            askLegacy(call, reply);
        }
    }

    private static void askModern(Call call, Reply reply) {
        var answers = call.request().raw(Part.INPUT_RESPONSES);
        if (answers.isPresent()) {
            greet(call, reply, JsonObject.parse(answers.get()).get("name"));
        } else {
            reply.done(Outcome.answered(Response.result(call.request().id(), INPUT_REQUIRED)));
        }
    }

    private static void askLegacy(Call call, Reply reply) {
        var question = Request.of(MessageId.of("name"), Methods.ELICITATION_CREATE, PARAMS);
        var asking = Call.of(question, call.caller(), call.correlationId(), call.deadline());
        call.caller().client().handle(asking, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void done(Outcome outcome) {
                if (outcome instanceof Outcome.Answered answered) {
                    var answer = answered.response().raw(Part.RESULT).orElse("{}");
                    greet(call, reply, JsonObject.parse(answer));
                } else {
                    reply.done(outcome);
                }
            }
        });
    }

    /** The answer is {@code {"action": "accept", "content": {"name": …}}} in either era. */
    private static void greet(Call call, Reply reply, @Nullable Object answer) {
        var name = answer instanceof Map<?, ?> accepted && accepted.get("content") instanceof Map<?, ?> content
                ? content.get("name")
                : "nobody";
        var result = "{\"content\":[{\"type\":\"text\",\"text\":%s}]}"
                .formatted(JsonText.quote("Hello, %s!".formatted(name)));
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }
}

package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;

/** A client of the modern era whose calls a server of the legacy one asks about. */
final class ModernTestClient {
    static final String FORM = "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\"}}";
    static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"name\":\"Zoë\"}}";

    private final TranslationBench bench;

    ModernTestClient(TranslationBench bench) {
        this.bench = bench;
    }

    RecordingReply toolCall() {
        return bench.send(bench.toolCall(TranslationBench.modern()));
    }

    RecordingReply retry(Response asked, String inputResponses) {
        return bench.send(bench.retry(TranslationBench.modern(), asked, inputResponses));
    }

    /** What the server asks while it works on the latest call. */
    Asked ask(String method, String params) {
        var id = MessageId.of("q");
        var request = params.isEmpty() ? Request.of(id, method) : Request.of(id, method, params);
        var caller = bench.server.last().call().caller();
        var call = Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(10), bench.time));
        var reply = new RecordingReply();
        caller.client().handle(call, reply);
        return new Asked(call, reply);
    }

    Asked ask() {
        return ask(Methods.ELICITATION_CREATE, FORM);
    }

    /** Lets the time pass in which questions are gathered. */
    void gather() {
        bench.time.advance(SuspendableCall.COLLECT_TIME.multipliedBy(2));
    }

    /** The call's answer after its server has asked for a form. */
    Response suspended(RecordingReply reply) {
        ask();
        gather();
        return reply.awaitAnswer();
    }

    /** A question of the server, and what it was answered. */
    record Asked(Call call, RecordingReply reply) {

        String answer() {
            return reply.awaitAnswer().raw(MessageField.RESULT).orElseThrow();
        }
    }

    static void isRefused(RecordingReply reply, String words) {
        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        assertThat(failure.message()).contains(words);
    }
}

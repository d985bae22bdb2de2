package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.upstream.connection.QuestionReply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/** A modern client whose calls cause requests of a legacy server. */
final class ModernTestClient {
    static final String FORM = "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\"}}";
    static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"name\":\"Zoë\"}}";

    private final TranslationBench bench;
    private final Queue<Consumer<Outcome>> pings = new ArrayDeque<>();

    ModernTestClient(TranslationBench bench) {
        this.bench = bench;
    }

    RecordingReply toolCall() {
        return bench.send(bench.toolCall(TranslationBench.modern()));
    }

    RecordingReply retry(Response asked, String inputResponses) {
        return bench.send(bench.retry(TranslationBench.modern(), asked, inputResponses));
    }

    /** Sends a request of the server during the latest call. */
    Asked ask(String method, String params) {
        var reply = new RecordingReply();
        return new Asked(ask(method, params, new PingedReply(reply, pings)), reply);
    }

    private Call ask(String method, String params, Reply reply) {
        var id = MessageId.of("q");
        var request = params.isEmpty() ? Request.of(id, method) : Request.of(id, method, params);
        var caller = bench.server.last().call().caller();
        var call = Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(10), bench.time));
        caller.client().handle(call, reply);
        return call;
    }

    /** Makes a call of a program in this process. */
    Asked askWithoutConnection() {
        var reply = new RecordingReply();
        return new Asked(ask(Methods.ELICITATION_CREATE, FORM, reply), reply);
    }

    Asked ask() {
        return ask(Methods.ELICITATION_CREATE, FORM);
    }

    /** Lets the server answer the ping that follows the first question of a round. */
    void gather() {
        pings.remove().accept(Outcome.answered(Response.result(MessageId.of(0), "{}")));
        bench.time.advance(SuspendableCall.OVERTAKEN);
    }

    /** Whether the server has a ping to answer. */
    boolean isPinged() {
        return !pings.isEmpty();
    }

    /** The response of the call after its server has requested a form. */
    Response suspended(RecordingReply reply) {
        ask();
        gather();
        return reply.awaitAnswer();
    }

    /** Records what a question is answered, and holds pings back. */
    private record PingedReply(RecordingReply reply, Queue<Consumer<Outcome>> pings) implements QuestionReply {

        @Override
        public void sendOwn(Call call, Consumer<Outcome> then) {
            assertThat(call.request().method()).isEqualTo(Methods.PING);
            pings.add(then);
        }

        @Override
        public void complete(Outcome outcome) {
            reply.complete(outcome);
        }
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

package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.Optional;

/**
 * One call of a legacy client to a server of the modern era: as often as the server says that it needs input, the
 * client is asked and the call is sent again with the answers.
 */
final class Fulfilment {
    /** How often one call may ask for input. */
    static final int MAX_ROUNDS = 8;

    private final ServerSide server;
    private final Handler next;
    private final Call call;
    private final Reply reply;
    private int rounds;

    private Fulfilment(ServerSide server, Handler next, Call call, Reply reply) {
        this.server = server;
        this.next = next;
        this.call = call;
        this.reply = reply;
    }

    static void begin(ServerSide server, Handler next, Call call, Reply reply) {
        var first = call.withRequest(MultiRound.first(call.request()));
        new Fulfilment(server, next, first, reply).send(Optional.empty(), Optional.empty());
    }

    private void send(Optional<String> answers, Optional<String> state) {
        next.handle(call.withRequest(MultiRound.next(call.request(), answers, state)), new Round());
    }

    private void ended(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered) || server.speaks(Era.LEGACY)) {
            reply.done(outcome);
            return;
        }
        var response = answered.response();
        if (response.isError()) {
            refused(answered);
            return;
        }
        var isPlain = !response.has(Part.RESULT_TYPE);
        switch (isPlain ? "complete" : response.text(Part.RESULT_TYPE).orElse("")) {
            case "complete" -> reply.done(outcome);
            case "input_required" -> inputRequired(response);
            case "task" -> invalid("answered with a task, which nobody asked for: clients before 2026-07-28 cannot");
            default ->
                invalid("answered with the unknown resultType %s"
                        .formatted(response.raw(Part.RESULT_TYPE).orElse("")));
        }
    }

    /** A server that misses a capability speaks of our envelope, in a code that this client cannot know. */
    private void refused(Outcome.Answered answered) {
        var error = JsonRpcErrors.toFailure(answered.response()).serverError().orElseThrow();
        if (error.code() != MultiRound.CAPABILITY_MISSING) {
            reply.done(answered);
            return;
        }
        var words = "server '%s' needs capabilities of the client that it did not declare in 'initialize': %s";
        var needed = error.data().isEmpty() ? error.message() : error.data();
        cannot(Failure.of(ErrorCode.INVALID_REQUEST, words.formatted(server.name(), needed)));
    }

    private void inputRequired(Response response) {
        rounds++;
        if (!MultiRound.allows(call.request())) {
            invalid("needs input for a method that cannot ask for any");
            return;
        }
        if (rounds > MAX_ROUNDS) {
            var words = "'%s' of server '%s' still needs input after %d rounds, which is the limit";
            cannot(Failure.of(
                    ErrorCode.UPSTREAM_INVALID, words.formatted(call.request().method(), server.name(), MAX_ROUNDS)));
            return;
        }
        List<InputRequest> questions;
        Optional<String> state;
        try {
            questions = InputRequest.read(response);
            state = state(response, questions);
        } catch (ProtocolException wrong) {
            invalid("cannot be asked back: " + wrong.getMessage());
            return;
        }
        if (questions.isEmpty()) {
            Pause.begin(call, server, () -> send(Optional.empty(), state), reply);
        } else {
            ask(questions, state);
        }
    }

    private static Optional<String> state(Response response, List<InputRequest> questions) {
        var state = response.raw(Part.RESULT_STATE);
        if (state.isPresent() && !state.get().startsWith("\"")) {
            throw ProtocolException.upstreamInvalid("'requestState' must be a text");
        }
        if (state.isEmpty() && questions.isEmpty()) {
            throw ProtocolException.upstreamInvalid("there is neither an input request nor a 'requestState'");
        }
        return state;
    }

    private void ask(List<InputRequest> questions, Optional<String> state) {
        var capabilities = call.caller().capabilities();
        var missing = questions.stream()
                .filter(question -> !question.needs().isMetBy(capabilities))
                .findFirst();
        if (missing.isPresent()) {
            var words = "server '%s' asks '%s', for which the client did not declare the capability '%s'";
            cannot(Failure.of(
                    ErrorCode.INVALID_REQUEST,
                    words.formatted(
                            server.name(), missing.get().method(), missing.get().needs())));
            return;
        }
        Asking.begin(call, questions, server.environment(), new Answers(state));
    }

    private void invalid(String what) {
        var words = "server '%s' broke the protocol: '%s' %s"
                .formatted(server.name(), call.request().method(), what);
        reply.done(Outcome.failed(Failure.of(ErrorCode.UPSTREAM_INVALID, words)
                .withDelivery(Delivery.ANSWERED)
                .withServer(server.name())));
    }

    /** Ends the call because the client cannot give what is asked; a model that called a tool can read why. */
    private void cannot(Failure why) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            var known = why.withRetryable(false).withDelivery(Delivery.ANSWERED).withServer(server.name());
            reply.done(Outcome.failed(known));
            return;
        }
        var result = Explained.toolError(why.message());
        reply.done(Outcome.answered(Response.result(call.request().id(), result)));
    }

    /** Hears the server in one round. */
    private final class Round implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            ended(outcome);
        }
    }

    /** Hears the client in one round. */
    private final class Answers implements Asking.Ending {
        private final Optional<String> state;

        private Answers(Optional<String> state) {
            this.state = state;
        }

        @Override
        public void answered(String inputResponses) {
            send(Optional.of(inputResponses), state);
        }

        @Override
        public void unanswered(Failure why) {
            if (call.cancellation().isCancelled()) {
                reply.done(Outcome.failed(why.withServer(server.name())));
            } else {
                cannot(why);
            }
        }
    }
}

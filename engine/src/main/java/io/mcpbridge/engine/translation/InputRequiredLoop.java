package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.OneShotEnd;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * One call of a legacy client. Each time the server answers over a modern connection with {@code input_required}, the
 * client receives the requests, and the server receives the call again with the responses. The server may change its era
 * between two connections.
 */
final class InputRequiredLoop {
    /** The most results {@code input_required} of one call. */
    static final int MAX_ROUNDS = 8;

    /** How long users may take to answer. */
    static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

    /** The pause before a server that requests nothing receives its state. */
    static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    private final TranslatedServer server;
    private final Next next;
    private final PipelineCall call;
    private int rounds;

    InputRequiredLoop(TranslatedServer server, Next next, PipelineCall call) {
        this.server = server;
        this.next = next;
        this.call = call;
    }

    /** Sends the call to the server with the client's responses and the server's state, if there are any yet. */
    void send(Optional<String> responses, Optional<String> state) {
        var round = call.newAttempt(call.cancellation(), this::ended);
        round.request(MultiRoundMessages.next(call.request(), responses, state));
        next.handle(round);
    }

    private void ended(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered) || answered.era() == Era.LEGACY) {
            call.complete(outcome);
            return;
        }
        var response = answered.response();
        if (response.isError()) {
            refused(answered);
            return;
        }
        var isPlain = !response.has(MessageField.RESULT_TYPE);
        switch (isPlain ? "complete" : response.text(MessageField.RESULT_TYPE).orElse("")) {
            case "complete" -> call.complete(outcome);
            case "input_required" -> inputRequired(response);
            case "task" -> invalid("answered with a task that was not requested: clients before 2026-07-28 cannot");
            default ->
                invalid("answered with the unknown resultType %s"
                        .formatted(response.raw(MessageField.RESULT_TYPE).orElse("")));
        }
    }

    /** The code for a missing capability is about the bridge's request, and unknown to the client. */
    private void refused(Outcome.Answered answered) {
        var error =
                JsonRpcErrorMapper.toFailure(answered.response()).serverError().orElseThrow();
        if (error.code() != MultiRoundMessages.CAPABILITY_MISSING) {
            call.complete(answered);
            return;
        }
        var words = "server '%s' needs capabilities of the client that it did not declare in 'initialize': %s";
        var needed = error.data().isEmpty() ? error.message() : error.data();
        fail(Failure.of(ErrorCode.INVALID_REQUEST, words.formatted(server.name(), needed)));
    }

    private void inputRequired(Response response) {
        rounds++;
        if (!MultiRoundMessages.allows(call.request())) {
            invalid("needs input for a method that cannot ask for any");
            return;
        }
        if (rounds > MAX_ROUNDS) {
            var words = "'%s' of server '%s' still needs input after %d rounds, which is the limit";
            fail(Failure.of(
                    ErrorCode.UPSTREAM_INVALID, words.formatted(call.request().method(), server.name(), MAX_ROUNDS)));
            return;
        }
        List<InputRequest> requests;
        Optional<String> state;
        try {
            requests = InputRequest.read(response);
            state = state(response, requests);
        } catch (ProtocolException wrong) {
            invalid("cannot be asked back: " + wrong.getMessage());
            return;
        }
        if (requests.isEmpty()) {
            pause(() -> send(Optional.empty(), state));
        } else {
            ask(requests, state);
        }
    }

    private static Optional<String> state(Response response, List<InputRequest> requests) {
        var state = response.raw(MessageField.RESULT_STATE);
        if (state.isPresent() && !state.get().startsWith("\"")) {
            throw ProtocolException.upstreamInvalid("'requestState' must be a text");
        }
        if (state.isEmpty() && requests.isEmpty()) {
            throw ProtocolException.upstreamInvalid("there is neither an input request nor a 'requestState'");
        }
        return state;
    }

    private void invalid(String what) {
        var words = "server '%s' broke the protocol: '%s' %s"
                .formatted(server.name(), call.request().method(), what);
        call.complete(Outcome.failed(answered(Failure.of(ErrorCode.UPSTREAM_INVALID, words))));
    }

    private Failure answered(Failure failure) {
        return failure.withDelivery(Delivery.ANSWERED).withServer(server.name());
    }

    /** Ends the call without the input; the model that called a tool receives the reason as its result. */
    private void fail(Failure why) {
        call.complete(
                call.request().method().equals(Methods.TOOLS_CALL)
                        ? MultiRoundMessages.toolError(call.request().id(), why.message())
                        : Outcome.failed(answered(why.withRetryable(false))));
    }

    /** Runs {@code then} after the interval; a cancellation ends the call at once. */
    private void pause(Runnable then) {
        var end = new OneShotEnd();
        var alarm = server.environment().timekeeper().schedule(POLL_INTERVAL, () -> {
            if (end.end()) {
                call.run(then);
            }
        });
        var link = call.cancellation().onCancel(reason -> {
            if (end.end()) {
                var words = "'%s' was withdrawn: %s".formatted(call.request().method(), reason.text());
                call.complete(Outcome.failed(answered(Failure.of(reason.code(), words))));
            }
        });
        end.releasing(() -> {
            alarm.cancel();
            link.remove();
        });
    }

    private void ask(List<InputRequest> requests, Optional<String> state) {
        var capabilities = call.caller().capabilities();
        var undeclared = requests.stream()
                .filter(request -> !request.capability().isIn(capabilities))
                .findFirst();
        if (undeclared.isPresent()) {
            var words = "server '%s' asks '%s', for which the client did not declare the capability '%s'";
            fail(Failure.of(
                    ErrorCode.INVALID_REQUEST,
                    words.formatted(
                            server.name(),
                            undeclared.get().method(),
                            undeclared.get().capability())));
            return;
        }
        new Prompt(requests, state).begin();
    }

    /**
     * The requests of one round, which the client receives all at once. The call's deadline is on hold meanwhile. The first
     * failure ends the round and cancels the other requests.
     */
    private final class Prompt {
        private final List<InputRequest> requests;
        private final Optional<String> state;
        private final Map<String, String> responses = new ConcurrentHashMap<>();
        private final AtomicInteger missing;
        private final Cancellation others = new Cancellation();
        private final OneShotEnd end = new OneShotEnd();

        private Prompt(List<InputRequest> requests, Optional<String> state) {
            this.requests = requests;
            this.state = state;
            this.missing = new AtomicInteger(requests.size());
        }

        private void begin() {
            var release = call.deadline().hold();
            var late = "had no answer after %d s".formatted(ANSWER_TIMEOUT.toSeconds());
            var alarm = server.environment()
                    .timekeeper()
                    .schedule(ANSWER_TIMEOUT, () -> fail(CancelReason.TIMED_OUT, ErrorCode.PROVIDER_TIMEOUT, late));
            var link = call.cancellation()
                    .onCancel(reason -> fail(reason, reason.code(), "was withdrawn: " + reason.text()));
            end.releasing(() -> {
                alarm.cancel();
                link.remove();
                release.run();
            });
            for (var request : requests) {
                if (!end.isOver()) {
                    send(request);
                }
            }
        }

        private void send(InputRequest request) {
            var deadline = Deadline.after(ANSWER_TIMEOUT, server.environment().timekeeper());
            var asked = Call.of(
                            request.toRequest(MessageId.of(request.key()), elicitationId()),
                            call.caller(),
                            call.correlationId(),
                            deadline)
                    .withCancellation(others);
            // Notifications of the client have no receiver: the server has ended this round.
            call.caller().client().handle(asked, outcome -> call.run(() -> ended(request, outcome)));
        }

        private String elicitationId() {
            var random = server.environment().random();
            return new UUID(random.nextLong(), random.nextLong()).toString();
        }

        private void ended(InputRequest request, Outcome outcome) {
            if (outcome instanceof Outcome.Failed failed) {
                var why = failed.failure();
                fail(CancelReason.CALL_ENDED, why.code(), "came to nothing: " + why.message());
                return;
            }
            var response = ((Outcome.Answered) outcome).response();
            if (response.isError()) {
                var why = JsonRpcErrorMapper.toFailure(response).serverError().orElseThrow();
                var words = "the client answered '%s' with error %d: %s";
                fail(
                        CancelReason.CALL_ENDED,
                        ErrorCode.INVALID_REQUEST,
                        words.formatted(request.method(), why.code(), why.message()));
                return;
            }
            responses.put(request.key(), response.raw(MessageField.RESULT).orElse("{}"));
            if (missing.decrementAndGet() == 0 && end.end()) {
                InputRequiredLoop.this.send(Optional.of(inputResponses()), state);
            }
        }

        /** In the order of the requests, so that equal responses make equal texts. */
        private String inputResponses() {
            return requests.stream()
                    .map(request -> JsonStrings.quote(request.key()) + ":" + responses.get(request.key()))
                    .collect(Collectors.joining(",", "{", "}"));
        }

        private void fail(CancelReason reason, ErrorCode code, String what) {
            if (!end.end()) {
                return;
            }
            others.cancel(reason);
            var methods = requests.stream().map(InputRequest::method).distinct().collect(Collectors.joining(", "));
            var words = "asking the client %s for '%s' %s"
                    .formatted(methods, call.request().method(), what);
            var why = Failure.of(code, words).withRetryable(false).withDelivery(Delivery.ANSWERED);
            if (call.cancellation().isCancelled()) {
                call.complete(Outcome.failed(why.withServer(server.name())));
            } else {
                InputRequiredLoop.this.fail(why);
            }
        }
    }
}

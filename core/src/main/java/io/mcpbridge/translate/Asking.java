package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks a legacy client everything that one round wants to know, all at once. The call's deadline stands still
 * meanwhile. The first thing that goes wrong ends the round and withdraws the other questions.
 */
final class Asking {
    /** How long people may take to answer. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Hears once how it went. */
    interface Ending {

        /**
         * The client has answered everything.
         *
         * @param inputResponses the answers as raw JSON
         */
        void answered(String inputResponses);

        /** Some question has no answer. */
        void unanswered(Failure why);
    }

    private final Call call;
    private final List<InputRequest> questions;
    private final Environment environment;
    private final Ending ending;
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final AtomicInteger missing;
    private final Cancellation withdrawal = new Cancellation();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final Runnable release;
    private final Timekeeper.Alarm alarm;
    private volatile Cancellation.Registration link = () -> {};

    private Asking(Call call, List<InputRequest> questions, Environment environment, Ending ending) {
        this.call = call;
        this.questions = questions;
        this.environment = environment;
        this.ending = ending;
        this.missing = new AtomicInteger(questions.size());
        this.release = call.deadline().hold();
        this.alarm = environment.timekeeper().schedule(PATIENCE, this::late);
    }

    /** Asks at least one question. */
    static void begin(Call call, List<InputRequest> questions, Environment environment, Ending ending) {
        new Asking(call, questions, environment, ending).begin();
    }

    private void begin() {
        link = call.cancellation().onCancel(reason -> fail(reason, reason.code(), "was withdrawn: " + reason.text()));
        if (isOver.get()) {
            link.remove();
        }
        for (var question : questions) {
            if (!isOver.get()) {
                ask(question);
            }
        }
    }

    private void ask(InputRequest question) {
        var id = MessageId.of(question.key());
        var request = question.toRequest(id, elicitationId());
        var deadline = Deadline.after(PATIENCE, environment.timekeeper());
        var asked =
                Call.of(request, call.caller(), call.correlationId(), deadline).withCancellation(withdrawal);
        call.caller().client().handle(asked, new Answer(question));
    }

    private String elicitationId() {
        var random = environment.random();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private void answered(InputRequest question, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            var why = failed.failure();
            fail(CancelReason.CALL_ENDED, why.code(), "came to nothing: " + why.message());
            return;
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            var why = JsonRpcErrors.toFailure(response).serverError().orElseThrow();
            var words = "the client answered '%s' with error %d: %s";
            fail(
                    CancelReason.CALL_ENDED,
                    ErrorCode.INVALID_REQUEST,
                    words.formatted(question.method(), why.code(), why.message()));
            return;
        }
        arrived(question, response);
    }

    private void arrived(InputRequest question, Response response) {
        answers.put(question.key(), response.raw(Part.RESULT).orElse("{}"));
        if (missing.decrementAndGet() == 0 && isOver.compareAndSet(false, true)) {
            rest();
            ending.answered(inputResponses());
        }
    }

    /** In the order of the questions, so that equal answers make equal texts. */
    private String inputResponses() {
        var json = new StringBuilder("{");
        for (var question : questions) {
            json.append(json.length() == 1 ? "" : ",")
                    .append(JsonText.quote(question.key()))
                    .append(':')
                    .append(answers.get(question.key()));
        }
        return json.append('}').toString();
    }

    private void late() {
        var words = "had no answer after %d s".formatted(PATIENCE.toSeconds());
        fail(CancelReason.TIMED_OUT, ErrorCode.PROVIDER_TIMEOUT, words);
    }

    private void fail(CancelReason reason, ErrorCode code, String what) {
        if (!isOver.compareAndSet(false, true)) {
            return;
        }
        rest();
        withdrawal.cancel(reason);
        var asked = questions.stream().map(InputRequest::method).distinct().toList();
        var message = "asking the client %s for '%s' %s"
                .formatted(String.join(", ", asked), call.request().method(), what);
        ending.unanswered(Failure.of(code, message).withRetryable(false).withDelivery(Delivery.ANSWERED));
    }

    private void rest() {
        alarm.cancel();
        link.remove();
        release.run();
    }

    /** Hears the client's answer to one question. */
    private final class Answer implements Reply {
        private final InputRequest question;

        private Answer(InputRequest question) {
            this.question = question;
        }

        @Override
        public void event(Message progressOrLog) {
            // The server has ended this leg; there is nobody left to tell.
        }

        @Override
        public void done(Outcome outcome) {
            answered(question, outcome);
        }
    }
}

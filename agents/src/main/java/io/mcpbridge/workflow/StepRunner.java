package io.mcpbridge.workflow;

import io.mcpbridge.CallOptions;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.agents.ToolSource;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolResult;
import io.mcpbridge.workflow.StepResult.State;
import io.mcpbridge.workflow.WorkflowStep.ForEach;
import io.mcpbridge.workflow.WorkflowStep.OnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step of a run, on a thread that may block: its calls one by one or in parallel, and what may be repeated.
 * Made for each step.
 */
final class StepRunner {
    private static final int MAX_ATTEMPTS = 3;
    private static final long FIRST_PAUSE_MILLIS = 200;

    /** The longest text of a tool in a message. */
    private static final int LONGEST_TEXT = 1_000;

    /** For a step without a time-out. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final WorkflowStep step;
    private final Means means;
    private final Map<String, Object> scope;
    private final ToolHints hints;
    private final long begun = System.nanoTime();
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * What the steps of a run share.
     *
     * @param options of each call
     */
    record Means(ToolSource servers, WorkflowContext context, CallOptions options, ExecutorService threads) {}

    /** @param scope what references point to; does not change */
    StepRunner(WorkflowStep step, Means means, Map<String, Object> scope, ToolHints hints) {
        this.step = step;
        this.means = means;
        this.scope = scope;
        this.hints = hints;
    }

    StepResult run() {
        try {
            var forEach = step.forEach();
            return ended(State.OK, forEach.isPresent() ? each(forEach.get()) : once(scope), null);
        } catch (StepFailedException failed) {
            return failed(failed);
        } catch (BridgeException failed) {
            return failed(new StepFailedException(failed.failure()));
        } catch (InterruptedException ended) {
            return unanswered(Failure.of(ErrorCode.CANCELLED, "the workflow was interrupted"));
        } catch (RuntimeException defect) {
            return unanswered(
                    Failure.of(ErrorCode.INTERNAL_ERROR, String.valueOf(defect)).withCause(defect));
        }
    }

    private StepResult failed(StepFailedException failed) {
        return ended(State.FAILED, failed.value(), failed.failure);
    }

    /** The calls of the step have no known end. */
    private StepResult unanswered(Failure why) {
        return failed(new StepFailedException(calls.get() == 0 ? why : why.withDelivery(Delivery.UNKNOWN)));
    }

    private StepResult ended(State state, Map<String, @Nullable Object> value, @Nullable Failure why) {
        var duration = Duration.ofNanos(System.nanoTime() - begun);
        return new StepResult(step.name(), state, value, why, calls.get(), duration);
    }

    private Map<String, @Nullable Object> once(Map<String, Object> scope) throws InterruptedException {
        var params = References.members(References.resolve(step.params(), scope));
        if (step.tool().isEmpty()) {
            return ask(params);
        }
        var earlier = Delivery.NOT_SENT;
        for (int attempt = 1; ; attempt++) {
            try {
                return call(params);
            } catch (StepFailedException failed) {
                if (step.onError() != OnError.RETRY
                        || attempt == MAX_ATTEMPTS
                        || !mayRepeat(failed.failure)
                        || !pause(attempt, failed.failure)) {
                    throw new StepFailedException(last(failed.failure, earlier), failed.known);
                }
                if (earlier != Delivery.UNKNOWN && !StepResult.isUnsent(failed.failure)) {
                    earlier = failed.failure.delivery();
                }
            }
        }
    }

    /**
     * The failure of the last attempt as that of all attempts.
     *
     * @param earlier how far the earlier attempts got
     */
    private Failure last(Failure why, Delivery earlier) {
        if (StepResult.isUnsent(why)) {
            return earlier == Delivery.NOT_SENT ? why : why.withDelivery(earlier);
        }
        return step.onError() != OnError.RETRY || mayRunTwice(hints, why)
                ? why
                : why.withMessage(
                        "%s; it is not tried again, since the call %s and neither the operator nor a trusted server declares the tool read-only or idempotent"
                                .formatted(
                                        why.message(),
                                        why.delivery() == Delivery.ANSWERED ? "was answered" : "may have run"));
    }

    /** A call that did not reach its tool may be repeated, and one that may run twice. */
    private boolean mayRepeat(Failure why) {
        return StepResult.isUnsent(why)
                ? why.retryable()
                : mayRunTwice(hints, why)
                        && (why.delivery() == Delivery.UNKNOWN || why.retryable() || why.isToolError());
    }

    /** Whether a call of a tool may run twice, as the operator or a trusted server declares, or the bridge knows. */
    static boolean mayRunTwice(ToolHints hints, @Nullable Failure why) {
        return hints.believed().allowsRepeating() || (why != null && why.isHarmless());
    }

    /** Waits before the next attempt; false if there is no time for one. */
    private boolean pause(int attempt, Failure why) throws InterruptedException {
        var pause = why.retryAfter().orElse(Duration.ofMillis(FIRST_PAUSE_MILLIS << (attempt - 1)));
        var longest = step.timeout()
                .map(timeout -> timeout.minusNanos(System.nanoTime() - begun))
                .orElse(LONGEST_PAUSE);
        if (pause.compareTo(longest) >= 0) {
            return false;
        }
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        return true;
    }

    private Duration remaining(Duration timeout) {
        var remaining = timeout.minusNanos(System.nanoTime() - begun);
        if (remaining.isNegative() || remaining.isZero()) {
            throw CallException.of(Failure.of(
                    ErrorCode.PROVIDER_TIMEOUT,
                    "the time-out of the step, %d ms, has passed".formatted(timeout.toMillis())));
        }
        return remaining;
    }

    private Map<String, @Nullable Object> call(Map<String, @Nullable Object> arguments) throws InterruptedException {
        try {
            // The bridge gives each attempt the whole time-out.
            var isOnce = step.timeout().isPresent() || step.onError() == OnError.RETRY || !mayRunTwice(hints, null);
            var options = isOnce ? means.options.withMaxAttempts(1) : means.options;
            if (step.timeout().isPresent()) {
                options = options.withTimeout(remaining(step.timeout().get()));
            }
            calls.incrementAndGet();
            var result = await(means.servers.callTool(step.server(), step.toolOfServer(), arguments, options));
            if (!result.isError()) {
                return value(result);
            }
            var why = Failure.of(
                            ErrorCode.SERVER_ERROR,
                            "the tool '%s' failed: %s".formatted(result.toolName(), cut(result.text())))
                    .withDelivery(Delivery.ANSWERED)
                    .withToolError();
            throw new StepFailedException(why, value(result));
        } catch (BridgeException failed) {
            throw new StepFailedException(failed.failure());
        }
    }

    /** The references of other steps see the whole text. */
    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    private static ToolResult await(CompletableFuture<ToolResult> result) throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof BridgeException known
                    ? known
                    : new IllegalStateException("the call ended in a defect of the bridge", failed.getCause());
        } catch (InterruptedException interrupted) {
            result.cancel(true);
            throw interrupted;
        }
    }

    private static Map<String, @Nullable Object> value(ToolResult result) {
        var value = new LinkedHashMap<String, @Nullable Object>();
        value.put("content", result.content());
        value.put("text", result.text());
        if (result.structuredContent() != null) {
            value.put("structuredContent", result.structuredContent());
        }
        value.put("isError", result.isError());
        value.put("correlationId", result.correlationId());
        return value;
    }

    private Map<String, @Nullable Object> ask(Map<String, @Nullable Object> question) throws InterruptedException {
        var params = new LinkedHashMap<String, @Nullable Object>();
        params.put("mode", "form");
        params.put("message", question.get("message"));
        params.put("requestedSchema", question.get("schema"));
        var request = new ElicitRequest("", Json.of(params));
        var answer = answer(request);
        if (!answer.isAccepted()) {
            throw CallException.of(Failure.of(
                    ErrorCode.CANCELLED,
                    "the question '%s' was not answered: %s".formatted(request.message(), answer.action())));
        }
        var value = new LinkedHashMap<String, @Nullable Object>();
        value.put("structuredContent", answer.content());
        value.put("isError", false);
        return value;
    }

    private ElicitResult answer(ElicitRequest request) throws InterruptedException {
        var asking = means.threads.submit(() -> means.context.questions().elicit(request));
        try {
            return step.timeout().isPresent()
                    ? asking.get(remaining(step.timeout().get()).toNanos(), TimeUnit.NANOSECONDS)
                    : asking.get();
        } catch (TimeoutException late) {
            var why = "the question '%s' was not answered in time".formatted(request.message());
            throw CallException.of(Failure.of(ErrorCode.PROVIDER_TIMEOUT, why));
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof BridgeException known
                    ? known
                    : CallException.of(Failure.of(
                            ErrorCode.CANCELLED,
                            "the question '%s' was not answered: %s".formatted(request.message(), failed.getCause())));
        } finally {
            asking.cancel(true);
        }
    }

    private Map<String, @Nullable Object> each(ForEach forEach) throws InterruptedException {
        if (!(References.resolve(forEach.items(), scope) instanceof List<?> items)) {
            throw refused("'forEach' must have a list, but '%s' is none".formatted(forEach.items()));
        }
        if (items.size() > forEach.max()) {
            throw refused(forEach.tooLong(items));
        }
        var repetition = new Repetition(items);
        var workers = Collections.nCopies(Math.min(forEach.parallel(), items.size()), repetition);
        try {
            for (var worker : means.threads.invokeAll(workers)) {
                worker.get();
            }
        } catch (ExecutionException defect) {
            throw new IllegalStateException("a defect in a step", defect.getCause());
        }
        return repetition.value();
    }

    private static CallException refused(String message) {
        return CallException.of(Failure.of(ErrorCode.INVALID_PARAMS, message));
    }

    /** The calls of a step for each element of a list. Several threads take elements until none is left. */
    private final class Repetition implements Callable<Boolean> {
        private final List<?> items;
        private final AtomicInteger next = new AtomicInteger();
        private final List<@Nullable Object> results;
        private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();
        private final AtomicBoolean hasRun = new AtomicBoolean();

        private Repetition(List<?> items) {
            this.items = items;
            this.results = Collections.synchronizedList(new ArrayList<>(Collections.nCopies(items.size(), null)));
        }

        @Override
        public Boolean call() throws InterruptedException {
            for (int i = next.getAndIncrement(); i < items.size() && isWanted(); i = next.getAndIncrement()) {
                var own = new LinkedHashMap<String, Object>(scope);
                own.put("item", items.get(i));
                own.put("index", (long) i);
                try {
                    results.set(i, once(own));
                    hasRun.set(true);
                } catch (StepFailedException failed) {
                    failed(i, failed);
                } catch (BridgeException failed) {
                    failed(i, new StepFailedException(failed.failure()));
                }
            }
            return true;
        }

        private boolean isWanted() {
            return failure.get() == null || step.onError() == OnError.CONTINUE;
        }

        /** Keeps the first failure of a call that may have run, else the first. */
        private void failed(int index, StepFailedException failed) {
            results.set(index, failed.value());
            var why = failed.failure;
            if (!StepResult.isUnsent(why)) {
                hasRun.set(true);
            }
            var named = why.withMessage("element %d of %d: %s".formatted(index + 1, items.size(), why.message()));
            failure.accumulateAndGet(
                    named,
                    (kept, added) -> kept == null
                                    || (kept.delivery() != Delivery.UNKNOWN && added.delivery() == Delivery.UNKNOWN)
                            ? added
                            : kept);
        }

        private Map<String, @Nullable Object> value() {
            var value = new LinkedHashMap<String, @Nullable Object>();
            value.put("results", new ArrayList<>(results));
            value.put("isError", false);
            var why = failure.get();
            if (why == null) {
                return value;
            }
            var isPartial = StepResult.isUnsent(why) && hasRun.get();
            throw new StepFailedException(isPartial ? why.withDelivery(Delivery.ANSWERED) : why, value);
        }
    }

    /** A call of the step failed; has what references may point to nevertheless. */
    private static final class StepFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Failure failure;
        private final transient Map<String, @Nullable Object> known;

        StepFailedException(Failure failure, Map<String, @Nullable Object> known) {
            super(failure.message());
            this.failure = failure;
            this.known = known;
        }

        StepFailedException(Failure failure) {
            this(failure, Map.of());
        }

        /** What references to the step point to nevertheless. */
        Map<String, @Nullable Object> value() {
            var value = new LinkedHashMap<>(known);
            value.putIfAbsent("text", failure.message());
            value.put("isError", true);
            value.put("error", StepResult.error(failure));
            return value;
        }
    }
}

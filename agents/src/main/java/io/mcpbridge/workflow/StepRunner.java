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
import io.mcpbridge.failure.ProtocolException;
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
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
            return ended(State.FAILED, failed.value, failed.failure);
        } catch (BridgeException failed) {
            return ended(State.FAILED, Map.of("isError", true), failed.failure());
        } catch (InterruptedException ended) {
            var why = Failure.of(ErrorCode.CANCELLED, "the workflow was interrupted")
                    .withDelivery(calls.get() == 0 ? Delivery.NOT_SENT : Delivery.UNKNOWN);
            return ended(State.FAILED, Map.of(), why);
        } catch (RuntimeException defect) {
            var why =
                    Failure.of(ErrorCode.INTERNAL_ERROR, String.valueOf(defect)).withCause(defect);
            return ended(State.FAILED, Map.of(), why);
        }
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
        for (int attempt = 1; ; attempt++) {
            try {
                return call(params);
            } catch (StepFailedException failed) {
                if (step.onError() != OnError.RETRY || attempt == MAX_ATTEMPTS) {
                    throw failed;
                }
                if (!mayRepeat(failed.failure)) {
                    throw isUnsent(failed.failure) || hints.allowsRepeating()
                            ? failed
                            : failed.with("it is not tried again, since the call may have run and the tool is not"
                                    + " declared read-only or idempotent");
                }
                pause(attempt, failed);
            }
        }
    }

    /** A call that did not reach its tool may be repeated, and one of a tool that declares it. */
    private boolean mayRepeat(Failure why) {
        if (isUnsent(why)) {
            return why.retryable();
        }
        return hints.allowsRepeating() && (why.delivery() == Delivery.UNKNOWN || why.retryable() || why.isToolError());
    }

    private static boolean isUnsent(Failure why) {
        return why.delivery() == Delivery.NOT_SENT || why.delivery() == Delivery.REJECTED;
    }

    private void pause(int attempt, StepFailedException failed) throws InterruptedException {
        var pause = failed.failure.retryAfter().orElse(Duration.ofMillis(FIRST_PAUSE_MILLIS << (attempt - 1)));
        var longest = step.timeout()
                .map(timeout -> timeout.minusNanos(System.nanoTime() - begun))
                .orElse(LONGEST_PAUSE);
        if (pause.compareTo(longest) >= 0) {
            throw failed;
        }
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
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
        var options = hints.allowsRepeating() && step.onError() != OnError.RETRY
                ? means.options
                : means.options.withMaxAttempts(1);
        if (step.timeout().isPresent()) {
            options = options.withTimeout(remaining(step.timeout().get()));
        }
        calls.incrementAndGet();
        try {
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
            var value = new LinkedHashMap<String, @Nullable Object>();
            value.put("isError", true);
            value.put("error", StepResult.error(failed.failure()));
            throw new StepFailedException(failed.failure(), value);
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
            throw refused("'forEach' has %d elements but may have at most %d; raise 'max' or shorten the list"
                    .formatted(items.size(), forEach.max()));
        }
        var repetition = new Repetition(items);
        var workers = Collections.nCopies(Math.min(forEach.parallel(), items.size()), repetition);
        for (var worker : means.threads.invokeAll(workers)) {
            outcome(worker);
        }
        return repetition.value();
    }

    private static <T> T outcome(Future<T> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException defect) {
            throw new IllegalStateException("a defect in a step", defect.getCause());
        }
    }

    private static CallException refused(String message) {
        return CallException.of(Failure.of(ErrorCode.INVALID_PARAMS, message));
    }

    /** The data of a value: structured content, else the JSON in the text, else the text. */
    static @Nullable Object data(Map<String, @Nullable Object> value) {
        if (value.get("results") instanceof List<?> results) {
            return results.stream().map(each -> data(References.members(each))).toList();
        }
        var structured = value.get("structuredContent");
        return structured == null && value.get("text") instanceof String text ? parsed(text) : structured;
    }

    private static @Nullable Object parsed(String text) {
        var begin = text.stripLeading();
        if (!begin.startsWith("{") && !begin.startsWith("[")) {
            return text;
        }
        try {
            return Json.parse(text).value();
        } catch (ProtocolException notJson) {
            return text;
        }
    }

    /** The calls of a step for each element of a list. Several threads take elements until none is left. */
    private final class Repetition implements Callable<Boolean> {
        private final List<?> items;
        private final AtomicInteger next = new AtomicInteger();
        private final List<@Nullable Object> results;
        private final AtomicReference<@Nullable Failure> first = new AtomicReference<>();

        private Repetition(List<?> items) {
            this.items = items;
            this.results = Collections.synchronizedList(new ArrayList<>(Collections.nCopies(items.size(), null)));
        }

        @Override
        public Boolean call() throws InterruptedException {
            for (int i = next.getAndIncrement(); i < items.size() && goesOn(); i = next.getAndIncrement()) {
                var own = new LinkedHashMap<String, Object>(scope);
                own.put("item", items.get(i));
                own.put("index", (long) i);
                try {
                    results.set(i, once(own));
                } catch (StepFailedException failed) {
                    results.set(i, failed.value);
                    failed(i, failed.failure);
                } catch (BridgeException failed) {
                    failed(i, failed.failure());
                }
            }
            return true;
        }

        private boolean goesOn() {
            return first.get() == null || step.onError() == OnError.CONTINUE;
        }

        private void failed(int index, Failure why) {
            first.compareAndSet(
                    null, why.withMessage("element %d of %d: %s".formatted(index + 1, items.size(), why.message())));
        }

        private Map<String, @Nullable Object> value() {
            var value = new LinkedHashMap<String, @Nullable Object>();
            value.put("results", new ArrayList<>(results));
            value.put("isError", first.get() != null);
            var why = first.get();
            if (why != null) {
                throw new StepFailedException(why, value);
            }
            return value;
        }
    }

    /** A call of the step failed; has what references may point to nevertheless. */
    private static final class StepFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Failure failure;
        private final transient Map<String, @Nullable Object> value;

        StepFailedException(Failure failure, Map<String, @Nullable Object> value) {
            super(failure.message());
            this.failure = failure;
            this.value = value;
        }

        StepFailedException with(String more) {
            return new StepFailedException(failure.withMessage(failure.message() + "; " + more), value);
        }
    }
}

package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.catalog.check.CheckQueue.QueuedCheck;
import io.mcpbridge.catalog.schema.JsonSchemaCheckProvider;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.StageContext.ToolListener;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Provides {@code schema-check} where it is configured. The stages of one provider share compiled schemas and threads;
 * each has a queue of its own.
 */
public final class SchemaCheckStageProvider implements CallStageProvider {
    static final int MAX_THREADS = 2;

    private static final Duration IDLE_TIMEOUT = Duration.ofMillis(200);

    private final CompiledSchemaCache schemas;
    private final Executor threads;

    public SchemaCheckStageProvider() {
        this(new JsonSchemaCheckProvider(), checkThreads());
    }

    /** @param threads run the checks */
    SchemaCheckStageProvider(SchemaCheckProvider checks, Executor threads) {
        this.schemas = new CompiledSchemaCache(checks);
        this.threads = threads;
    }

    @Override
    public Id id() {
        return new Id("schema-check", SPI_VERSION);
    }

    @Override
    public Place place() {
        return Place.SCHEMA_CHECK;
    }

    @Override
    public Optional<CallStage> create(StageContext context) {
        return context.isConfigured()
                ? Optional.of(new SchemaCheckStage(
                        SchemaCheckSettings.from(context.settings()), context, schemas, new CheckQueue(threads)))
                : Optional.empty();
    }

    /**
     * Creates threads that only run checks, so that costly schemas delay nothing else. Idle threads end. A running
     * check completes within its budget, also while a bridge closes.
     */
    static Executor checkThreads() {
        return BackgroundThreads.pool("schema-check", MAX_THREADS, IDLE_TIMEOUT);
    }

    /**
     * Rejects calls whose arguments break the input schema of the tool, and results that break its output schema.
     * Checks run on their own threads, since a schema can be costly, or on that of a caller that waits for the result
     * anyway. No other thread waits for a check; a call that does can be cancelled. Any thread.
     */
    private record SchemaCheckStage(
            SchemaCheckSettings settings, StageContext context, CompiledSchemaCache schemas, CheckQueue queue)
            implements CallStage {
        private static final int MAX_ISSUES = 10;

        private static final int MAX_ISSUE_CHARACTERS = 400;

        @Override
        public void handle(CallContext call, Next next) {
            if (!call.request().method().equals(Methods.TOOLS_CALL)) {
                next.handle(call);
                return;
            }
            context.tool(call, new ToolListener() {
                @Override
                public void found(ToolDefinition tool) {
                    var words = "the arguments of '%s' cannot be checked, so nothing was sent: %s";
                    check(
                            call,
                            () -> issuesOfArguments(tool, call),
                            issues -> argumentsChecked(tool, issues, call, next),
                            (code, why) -> failure(code, Delivery.NOT_SENT, words.formatted(tool.name(), why)));
                }

                @Override
                public void undecided() {
                    next.handle(call);
                }

                @Override
                public void refused(Failure why) {
                    call.complete(Outcome.failed(why));
                }
            });
        }

        @Override
        public Optional<String> unusable(ToolDefinition tool) {
            var ofArguments =
                    settings.arguments() ? fault("inputSchema", tool.inputSchema()) : Optional.<String>empty();
            return settings.results() ? ofArguments.or(() -> fault("outputSchema", tool.outputSchema())) : ofArguments;
        }

        private Optional<String> fault(String member, Optional<Json> schema) {
            return schema.map(Json::text).flatMap(schemas::fault).map(why -> "'%s': %s".formatted(member, why));
        }

        private void argumentsChecked(ToolDefinition tool, List<SchemaIssue> issues, CallContext call, Next next) {
            if (issues.isEmpty()) {
                next.handle(withCheckedResult(tool, call));
                return;
            }
            var words = "the arguments of '%s' break its input schema: %s".formatted(tool.name(), text(issues));
            call.complete(failure(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT, words));
        }

        private List<SchemaIssue> issuesOfArguments(ToolDefinition tool, Call call) {
            if (!settings.arguments()) {
                return List.of();
            }
            var arguments = call.request().raw(MessageField.ARGUMENTS).orElse("{}");
            return tool.inputSchema()
                    .map(schema -> schemas.issues(schema.text(), arguments))
                    .orElse(List.of());
        }

        /** Where there is an output schema, the call ends when the result of what is passed on has been checked. */
        private CallContext withCheckedResult(ToolDefinition tool, CallContext call) {
            if (!settings.results() || tool.outputSchema().isEmpty()) {
                return call;
            }
            var schema = tool.outputSchema().get().text();
            var passed = call.newAttempt(call.cancellation());
            passed.onComplete(outcome -> {
                if (outcome instanceof Outcome.Answered answered && isCompleteResult(answered.response())) {
                    checkResult(tool, schema, answered, call);
                } else {
                    call.complete(outcome);
                }
            });
            return passed;
        }

        /** Whether a response is a result to check; errors and requests for input are not. */
        private static boolean isCompleteResult(Response response) {
            return !response.isError()
                    && response.raw(MessageField.IS_ERROR)
                            .filter("true"::equals)
                            .isEmpty()
                    && response.text(MessageField.RESULT_TYPE)
                            .filter(type -> !type.equals("complete"))
                            .isEmpty();
        }

        private void checkResult(ToolDefinition tool, String schema, Outcome.Answered result, CallContext call) {
            var words = "server '%s' answered, but the result of '%s' cannot be checked: %s";
            check(
                    call,
                    () -> issuesOfResult(schema, result),
                    issues -> call.complete(issues.isEmpty() ? result : broken(tool, issues)),
                    (code, why) ->
                            failure(code, Delivery.ANSWERED, words.formatted(context.server(), tool.name(), why)));
        }

        private List<SchemaIssue> issuesOfResult(String schema, Outcome.Answered result) {
            return result.response()
                    .raw(MessageField.STRUCTURED_CONTENT)
                    .map(content -> schemas.issues(schema, content))
                    .orElse(List.of(new SchemaIssue("", "there is no 'structuredContent'")));
        }

        private Outcome broken(ToolDefinition tool, List<SchemaIssue> issues) {
            var message = "server '%s' broke the protocol: the result of '%s' breaks its output schema: %s";
            return failure(
                    ErrorCode.UPSTREAM_INVALID,
                    Delivery.ANSWERED,
                    message.formatted(context.server(), tool.name(), text(issues)));
        }

        private Outcome failure(ErrorCode code, Delivery delivery, String message) {
            return Outcome.failed(
                    Failure.of(code, message).withDelivery(delivery).withServer(context.server()));
        }

        private static String text(List<SchemaIssue> issues) {
            var first = issues.stream()
                    .limit(MAX_ISSUES)
                    .map(issue -> cut(issue.toString()))
                    .collect(Collectors.joining("; "));
            return issues.size() > MAX_ISSUES ? first + "; and %d more".formatted(issues.size() - MAX_ISSUES) : first;
        }

        private static String cut(String issue) {
            return issue.length() <= MAX_ISSUE_CHARACTERS ? issue : issue.substring(0, MAX_ISSUE_CHARACTERS) + "…";
        }

        /** @param failed the outcome of the call if the check has no result */
        private void check(
                CallContext call,
                Supplier<List<SchemaIssue>> check,
                Consumer<List<SchemaIssue>> checked,
                BiFunction<ErrorCode, String, Outcome> failed) {
            var logger = context.environment().logger();
            BiConsumer<ErrorCode, String> onFailed = (code, why) -> call.complete(failed.apply(code, why));
            var pending = new QueuedCheck(call, check, checked, onFailed, logger);
            if (call.callerWaits()) {
                pending.runInline();
            } else {
                pending.enqueue(queue);
            }
        }
    }

    /**
     * A cache of compiled schemas by their text; tools with equal schemas share one. Evicts the least recently used. Any
     * thread; two threads may compile the same schema at once.
     */
    static final class CompiledSchemaCache {
        /** The characters of all cached schemas. */
        static final long MAX_CHARACTERS = 16 << 20;

        private final SchemaCheckProvider provider;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final Map<String, Compiled> cache = new LinkedHashMap<>(16, 0.75f, true);

        @GuardedBy("lock")
        private long characters;

        CompiledSchemaCache(SchemaCheckProvider provider) {
            this.provider = provider;
        }

        /** Why a schema cannot be used; empty if it can. */
        Optional<String> fault(String schemaJson) {
            return compiled(schemaJson).fault();
        }

        /** The issues of a value; a schema that cannot be used is an issue itself. */
        List<SchemaIssue> issues(String schemaJson, String json) {
            return compiled(schemaJson).check().issues(json);
        }

        /** The number of cached schemas. */
        int size() {
            lock.lock();
            try {
                return cache.size();
            } finally {
                lock.unlock();
            }
        }

        private Compiled compiled(String schemaJson) {
            lock.lock();
            try {
                var known = cache.get(schemaJson);
                if (known != null) {
                    return known;
                }
            } finally {
                lock.unlock();
            }
            var compiled = compile(schemaJson);
            put(schemaJson, compiled);
            return compiled;
        }

        private Compiled compile(String schemaJson) {
            try {
                return new Compiled(provider.compile(schemaJson), Optional.empty());
            } catch (ConfigurationException invalid) {
                return unusable(String.valueOf(invalid.getMessage()));
            } catch (RuntimeException | StackOverflowError defect) {
                return unusable("the schema cannot be read: " + defect);
            }
        }

        private static Compiled unusable(String why) {
            var issues = List.of(new SchemaIssue("", why));
            return new Compiled(json -> issues, Optional.of(why));
        }

        private void put(String schemaJson, Compiled compiled) {
            lock.lock();
            try {
                if (cache.put(schemaJson, compiled) == null) {
                    characters += schemaJson.length();
                }
                var oldest = cache.entrySet().iterator();
                while (characters > MAX_CHARACTERS && oldest.hasNext()) {
                    characters -= oldest.next().getKey().length();
                    oldest.remove();
                }
            } finally {
                lock.unlock();
            }
        }

        /** A check, and why its schema cannot be used, if so. */
        private record Compiled(SchemaCheck check, Optional<String> fault) {}
    }
}

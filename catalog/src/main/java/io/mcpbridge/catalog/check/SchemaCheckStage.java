package io.mcpbridge.catalog.check;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.SchemaIssue;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.spi.ToolHearer;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Refuses calls whose arguments break the tool's input schema, and tells of results that break its output schema. Checks
 * run on threads of their own, since a schema may be a costly one; no thread waits for them, and a call that does can be
 * withdrawn. Any thread.
 */
final class SchemaCheckStage implements CallStage {
    /** Who breaks more rules than this hears of the first ones. */
    private static final int MOST_ISSUES = 10;

    private static final int LONGEST_ISSUE = 400;

    private final SchemaCheckSettings settings;
    private final StageContext context;
    private final CompiledSchemas schemas;
    private final CheckTurns turns;

    SchemaCheckStage(SchemaCheckSettings settings, StageContext context, CompiledSchemas schemas, CheckTurns turns) {
        this.settings = settings;
        this.context = context;
        this.schemas = schemas;
        this.turns = turns;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (!call.request().method().equals(Methods.TOOLS_CALL)) {
            next.handle(call, reply);
            return;
        }
        context.tool(call, new ToolHearer() {
            @Override
            public void found(ToolDefinition tool) {
                check(call, () -> issuesOfArguments(tool, call), new WaitingCheck.Hearer() {
                    @Override
                    public void issues(List<SchemaIssue> issues) {
                        checked(tool, issues, call, reply, next);
                    }

                    @Override
                    public void impossible(ErrorCode code, String why) {
                        var words = "the arguments of '%s' cannot be checked, so nothing was sent: %s";
                        reply.done(failed(code, Delivery.NOT_SENT, words.formatted(tool.name(), why)));
                    }
                });
            }

            @Override
            public void undecided() {
                next.handle(call, reply);
            }

            @Override
            public void refused(Failure why) {
                reply.done(Outcome.failed(why));
            }
        });
    }

    @Override
    public Optional<String> unusable(ToolDefinition tool) {
        var ofArguments = settings.arguments() ? fault("inputSchema", tool.inputSchema()) : Optional.<String>empty();
        return settings.results() ? ofArguments.or(() -> fault("outputSchema", tool.outputSchema())) : ofArguments;
    }

    private Optional<String> fault(String member, Optional<String> schema) {
        return schema.flatMap(schemas::fault).map(why -> "'%s': %s".formatted(member, why));
    }

    private void checked(ToolDefinition tool, List<SchemaIssue> issues, Call call, Reply reply, Handler next) {
        if (issues.isEmpty()) {
            next.handle(call, hearing(tool, call, reply));
            return;
        }
        var words = "the arguments of '%s' break its input schema: %s".formatted(tool.name(), words(issues));
        reply.done(failed(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT, words));
    }

    private List<SchemaIssue> issuesOfArguments(ToolDefinition tool, Call call) {
        if (!settings.arguments()) {
            return List.of();
        }
        var arguments = call.request().raw(Part.ARGUMENTS).orElse("{}");
        return tool.inputSchema()
                .map(schema -> schemas.issues(schema, arguments))
                .orElse(List.of());
    }

    private Reply hearing(ToolDefinition tool, Call call, Reply reply) {
        return settings.results()
                ? tool.outputSchema()
                        .<Reply>map(
                                schema -> new CheckedReply(reply, result -> judge(tool, schema, result, call, reply)))
                        .orElse(reply)
                : reply;
    }

    private void judge(ToolDefinition tool, String schema, Outcome.Answered result, Call call, Reply reply) {
        check(call, () -> issuesOfResult(schema, result), new WaitingCheck.Hearer() {
            @Override
            public void issues(List<SchemaIssue> issues) {
                reply.done(issues.isEmpty() ? result : broken(tool, issues));
            }

            @Override
            public void impossible(ErrorCode code, String why) {
                var words = "server '%s' answered, but the result of '%s' cannot be checked: %s";
                reply.done(failed(code, Delivery.ANSWERED, words.formatted(context.server(), tool.name(), why)));
            }
        });
    }

    private List<SchemaIssue> issuesOfResult(String schema, Outcome.Answered result) {
        return result.response()
                .raw(Part.STRUCTURED_CONTENT)
                .map(content -> schemas.issues(schema, content))
                .orElse(List.of(new SchemaIssue("", "there is no 'structuredContent'")));
    }

    private Outcome broken(ToolDefinition tool, List<SchemaIssue> issues) {
        var words = "server '%s' broke the protocol: the result of '%s' breaks its output schema: %s";
        return failed(
                ErrorCode.UPSTREAM_INVALID,
                Delivery.ANSWERED,
                words.formatted(context.server(), tool.name(), words(issues)));
    }

    private Outcome failed(ErrorCode code, Delivery delivery, String words) {
        return Outcome.failed(Failure.of(code, words).withDelivery(delivery).withServer(context.server()));
    }

    private static String words(List<SchemaIssue> issues) {
        var told = issues.stream()
                .limit(MOST_ISSUES)
                .map(issue -> cut(issue.toString()))
                .collect(Collectors.joining("; "));
        return issues.size() > MOST_ISSUES ? told + "; and %d more".formatted(issues.size() - MOST_ISSUES) : told;
    }

    private static String cut(String issue) {
        return issue.length() <= LONGEST_ISSUE ? issue : issue.substring(0, LONGEST_ISSUE) + "…";
    }

    private void check(Call call, Supplier<List<SchemaIssue>> check, WaitingCheck.Hearer hearer) {
        new WaitingCheck(call, check, hearer, context.environment().logger()).begin(turns);
    }
}

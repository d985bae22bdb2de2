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
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;

/**
 * Refuses calls whose arguments break the tool's input schema, and tells of results that break its output schema. Checks
 * run on workers, since a schema may be a costly one; no thread waits for them. Any thread.
 */
final class SchemaCheckStage implements CallStage {
    /** Who breaks more rules than this hears of the first ones. */
    private static final int MOST_ISSUES = 10;

    private static final int LONGEST_ISSUE = 400;

    private final SchemaCheckSettings settings;
    private final StageContext context;
    private final CompiledSchemas schemas;

    SchemaCheckStage(SchemaCheckSettings settings, StageContext context, CompiledSchemas schemas) {
        this.settings = settings;
        this.context = context;
        this.schemas = schemas;
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
                work(reply, () -> checked(tool, call, reply, next));
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

    private void checked(ToolDefinition tool, Call call, Reply reply, Handler next) {
        var issues = settings.arguments() ? issuesOfArguments(tool, call) : List.<SchemaIssue>of();
        if (issues.isEmpty()) {
            next.handle(call, hearing(tool, reply));
            return;
        }
        var words = "the arguments of '%s' break its input schema: %s".formatted(tool.name(), words(issues));
        reply.done(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, words)
                .withDelivery(Delivery.NOT_SENT)
                .withServer(context.server())));
    }

    private List<SchemaIssue> issuesOfArguments(ToolDefinition tool, Call call) {
        var arguments = call.request().raw(Part.ARGUMENTS).orElse("{}");
        return tool.inputSchema()
                .map(schema -> schemas.issues(schema, arguments))
                .orElse(List.of());
    }

    private Reply hearing(ToolDefinition tool, Reply reply) {
        return settings.results()
                ? tool.outputSchema()
                        .<Reply>map(schema -> new CheckedReply(
                                reply, result -> work(reply, () -> reply.done(judged(tool, schema, result)))))
                        .orElse(reply)
                : reply;
    }

    private Outcome judged(ToolDefinition tool, String schema, Outcome.Answered result) {
        var response = result.response();
        var structured = response.raw(Part.STRUCTURED_CONTENT);
        var issues = structured
                .map(content -> schemas.issues(schema, content))
                .orElse(List.of(new SchemaIssue("", "there is no 'structuredContent'")));
        if (issues.isEmpty()) {
            return result;
        }
        var words = "server '%s' broke the protocol: the result of '%s' breaks its output schema: %s";
        return Outcome.failed(
                Failure.of(ErrorCode.UPSTREAM_INVALID, words.formatted(context.server(), tool.name(), words(issues)))
                        .withDelivery(Delivery.ANSWERED)
                        .withServer(context.server()));
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

    private void work(Reply reply, Runnable work) {
        try {
            context.environment().workers().execute(work);
        } catch (RejectedExecutionException ended) {
            reply.done(Outcome.failed(
                    Failure.of(ErrorCode.SHUTTING_DOWN, "the bridge is ending").withServer(context.server())));
        }
    }
}

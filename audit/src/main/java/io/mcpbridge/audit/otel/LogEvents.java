package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.TraceParent;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a record looks like as a log event: a name, a severity and attributes, no body.
 *
 * <p>Names are those of the spans where there are such; every other member of a record stands under
 * {@code mcpbridge.audit} and its own name.
 */
final class LogEvents {
    private static final String CALL = "mcpbridge.tool.call";
    private static final String NOTE = "mcpbridge.audit.note";

    /** The members that spans have too, by their names in a record. */
    private static final Map<String, String> SHARED = Map.of(
            "method", "mcp.method.name",
            "server", "mcpbridge.server",
            "correlationId", "mcpbridge.correlation.id",
            "traceId", "mcpbridge.trace.id",
            "outcome", "mcpbridge.outcome",
            "delivery", "mcpbridge.delivery");

    private static final String SUBJECT = "mcpbridge.audit.subject";

    /** What the subject of a record is named in spans, by its method. */
    private static final Map<String, String> SUBJECTS = Map.of(
            "tools/call", "gen_ai.tool.name",
            "prompts/get", "gen_ai.prompt.name",
            "resources/read", "mcp.resource.uri",
            "resources/subscribe", "mcp.resource.uri",
            "resources/unsubscribe", "mcp.resource.uri");

    private static final AttributeKey<String> PHASE = AttributeKey.stringKey("mcpbridge.audit.phase");
    private static final AttributeKey<String> RECORD_ID = AttributeKey.stringKey("log.record.uid");

    private final Logger logger;

    LogEvents(OpenTelemetry telemetry) {
        this.logger =
                telemetry.getLogsBridge().loggerBuilder("io.mcpbridge.audit").build();
    }

    void emit(AuditLine line) {
        var event = logger.logRecordBuilder()
                .setEventName(line.type() == RecordType.NOTE ? NOTE : CALL)
                .setTimestamp(line.time())
                .setSeverity(severity(line))
                .setContext(context(line.trace()))
                .setAttribute(RECORD_ID, line.id())
                .setAttribute(PHASE, line.type().name().toLowerCase(Locale.ROOT));
        line.data().forEach((key, value) -> put(event, key, value));
        line.subject().ifPresent(subject -> event.setAttribute(subjectOf(line), subject));
        event.emit();
    }

    /** That of the call, so that its events are found with its spans. */
    private static Context context(TraceParent trace) {
        if (!trace.isPresent()) {
            return Context.root();
        }
        var span = SpanContext.createFromRemoteParent(
                trace.traceId(), trace.spanId(), TraceFlags.fromHex(trace.flags(), 0), TraceState.getDefault());
        return Context.root().with(Span.wrap(span));
    }

    private static AttributeKey<String> subjectOf(AuditLine line) {
        return AttributeKey.stringKey(line.text("method").map(SUBJECTS::get).orElse(SUBJECT));
    }

    /** Whoever watches looks at what did not go well. */
    private static Severity severity(AuditLine line) {
        var isGood = switch (line.type()) {
            case ENTER -> true;
            case EXIT -> line.text("outcome").filter(LogEvents::isGood).isPresent();
            case DENIED, NOTE -> false;
        };
        return isGood ? Severity.INFO : Severity.WARN;
    }

    private static boolean isGood(String outcome) {
        return outcome.equals("ok") || outcome.equals("input-required");
    }

    private static void put(LogRecordBuilder event, String key, @Nullable Object value) {
        if (key.equals("tool")) {
            return;
        }
        var name = SHARED.getOrDefault(key, "mcpbridge.audit." + underscored(key));
        if (value instanceof String text) {
            event.setAttribute(AttributeKey.stringKey(name), text);
        } else if (value instanceof Long number) {
            event.setAttribute(AttributeKey.longKey(name), number);
        } else if (value instanceof Boolean flag) {
            event.setAttribute(AttributeKey.booleanKey(name), flag);
        } else if (value instanceof Map<?, ?> members) {
            members.forEach((inner, each) -> put(event, key + "." + inner, each));
        }
    }

    /** {@code durationMs} is {@code duration_ms} among attributes. */
    private static String underscored(String key) {
        return key.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}

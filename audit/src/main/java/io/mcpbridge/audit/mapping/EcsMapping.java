package io.mcpbridge.audit.mapping;

import io.mcpbridge.audit.internal.json.CanonicalJson;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.call.TraceParent;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records as documents of the Elastic Common Schema 8; what it has no field for stands under {@code mcp_bridge}. */
public final class EcsMapping {

    private EcsMapping() {}

    /** The document as one line of JSON. */
    public static String json(AuditLine line) {
        return CanonicalJson.write(document(new Reading(line)).toMap());
    }

    private static Tree document(Reading reading) {
        var line = reading.line();
        var document = new Tree()
                .put("@timestamp", line.time().toString())
                .put("ecs.version", "8.17.0")
                .put("event.kind", "event")
                .put("event.category", List.of("api"))
                .put("event.type", List.of(type(line)))
                .put("event.action", line.text("method").or(() -> line.text("kind")))
                .put("event.id", line.id())
                .put("event.sequence", line.sequence())
                .put("event.dataset", "mcp-bridge.audit")
                .put("event.outcome", outcome(reading))
                .put("event.duration", line.number("durationMs").map(TimeUnit.MILLISECONDS::toNanos))
                .put("event.hash", line.head().hash())
                .put("service.name", "mcp-bridge")
                .put("mcp_bridge", line.data());
        return document.put("event.reason", reading.words())
                .put("trace.id", reading.trace(TraceParent::traceId).or(() -> line.text("traceId")))
                .put("span.id", reading.trace(TraceParent::spanId))
                .put("transaction.id", line.text("correlationId"))
                .put("user.id", reading.principal())
                .put("error.code", line.number("code").map(String::valueOf))
                .put("error.message", line.text("error"));
    }

    private static String type(AuditLine line) {
        return switch (line.type()) {
            case ENTER -> "start";
            case EXIT -> "end";
            case DENIED -> "denied";
            case NOTE -> "info";
        };
    }

    private static String outcome(Reading reading) {
        return reading.succeeded().map(good -> good ? "success" : "failure").orElse("unknown");
    }
}

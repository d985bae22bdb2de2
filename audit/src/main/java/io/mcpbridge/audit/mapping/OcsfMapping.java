package io.mcpbridge.audit.mapping;

import io.mcpbridge.audit.internal.json.CanonicalJson;
import io.mcpbridge.audit.record.AuditLine;

/**
 * Records as events of OCSF 1.3: calls as API Activity (class 6003), notes as Base Event (class 0).
 *
 * <p>What a tool does to the world is not in a record, so {@code tools/call} is the activity <i>Other</i>; the remaining
 * methods read.
 */
public final class OcsfMapping {
    private static final int API_ACTIVITY = 6_003;
    private static final int APPLICATION_ACTIVITY = 6;
    private static final int READ = 2;
    private static final int OTHER = 99;
    private static final int SUCCESS = 1;
    private static final int FAILURE = 2;
    private static final int INFORMATIONAL = 1;
    private static final int MEDIUM = 3;

    private OcsfMapping() {}

    /** The event as one line of JSON. */
    public static String json(AuditLine line) {
        return CanonicalJson.write(event(new Reading(line)).toMap());
    }

    private static Tree event(Reading reading) {
        var line = reading.line();
        var event = new Tree()
                .put("time", line.time().toEpochMilli())
                .put("metadata.version", "1.3.0")
                .put("metadata.product.name", "MCP Bridge")
                .put("metadata.product.vendor_name", "MCP Bridge")
                .put("metadata.uid", line.id())
                .put("metadata.sequence", line.sequence())
                .put("metadata.event_code", line.type().word())
                .put("metadata.correlation_uid", line.text("correlationId"))
                .put("unmapped", line.data());
        return reading.isNote() ? note(event, reading) : call(event, reading);
    }

    private static Tree note(Tree event, Reading reading) {
        return event.put("class_uid", 0)
                .put("category_uid", 0)
                .put("activity_id", OTHER)
                .put("type_uid", OTHER)
                .put("severity_id", INFORMATIONAL)
                .put("message", reading.line().text("kind"));
    }

    private static Tree call(Tree event, Reading reading) {
        var line = reading.line();
        var method = line.text("method").orElse("");
        int activity = method.equals("tools/call") ? OTHER : READ;
        var succeeded = reading.succeeded();
        return event.put("class_uid", API_ACTIVITY)
                .put("category_uid", APPLICATION_ACTIVITY)
                .put("activity_id", activity)
                .put("activity_name", method)
                .put("type_uid", API_ACTIVITY * 100 + activity)
                .put("severity_id", succeeded.orElse(true) ? INFORMATIONAL : MEDIUM)
                .put(
                        "status_id",
                        succeeded.map(good -> good ? SUCCESS : FAILURE).orElse(0))
                .put("status_code", line.text("outcome"))
                .put("status_detail", reading.words())
                .put("duration", line.number("durationMs"))
                .put("actor.user.name", reading.principal())
                .put("actor.app_name", line.text("clientId").filter(each -> !each.isEmpty()))
                .put("src_endpoint.name", line.text("clientId").orElse(""))
                .put("api.operation", line.text("tool").orElse(""))
                .put("api.service.name", line.text("server").orElse(""))
                .put("api.request.uid", line.text("correlationId").orElse(""))
                .put("api.response.code", line.number("code"))
                .put("api.response.error_message", line.text("error"));
    }
}

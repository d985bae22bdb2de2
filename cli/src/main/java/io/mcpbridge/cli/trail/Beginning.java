package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import java.time.Instant;
import java.util.Map;

/**
 * Who called what, each word cut to a bounded length, since it is remembered until the call ends.
 *
 * @param time when it began
 * @param call the correlation id
 * @param principal who called
 * @param client the id that the client gave itself, or the empty string
 * @param server where it went
 * @param tool the tool there, the URI of a resource, or the name of a prompt
 * @param sandbox how firmly the process of the server is held, or the empty string
 */
public record Beginning(
        Instant time, String call, String principal, String client, String server, String tool, String sandbox) {
    private static final int LONGEST = 256;

    static Beginning of(AuditLine record) {
        var principal = record.data().get("principal") instanceof Map<?, ?> who ? who.get("name") : null;
        return new Beginning(
                record.time(),
                text(record, "correlationId"),
                principal instanceof String name ? cut(name) : "",
                text(record, "clientId"),
                text(record, "server"),
                text(record, "tool"),
                text(record, "sandbox"));
    }

    private static String text(AuditLine record, String key) {
        return cut(record.text(key).orElse(""));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}

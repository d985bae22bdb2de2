package io.mcpbridge.cli.trail;

import java.time.Instant;

/**
 * Who called what, each word cut to a bounded length, since it is remembered until the call ends.
 *
 * @param time when it began
 * @param call the correlation id
 * @param principal who called
 * @param client the id that the client gave itself, or the empty string
 * @param server where it went
 * @param tool the tool there, the URI of a resource, or the name of a prompt
 */
public record Beginning(Instant time, String call, String principal, String client, String server, String tool) {
    private static final int LONGEST = 256;

    static Beginning of(TrailRecord record) {
        var principal = record.object("principal").get("name");
        return new Beginning(
                record.time(),
                cut(record.call()),
                cut(principal instanceof String name ? name : ""),
                cut(record.text("clientId")),
                cut(record.text("server")),
                cut(record.text("tool")));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
    }
}

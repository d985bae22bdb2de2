package io.mcpbridge.tool;

import io.mcpbridge.call.LogLevel;
import java.util.Optional;

/**
 * A message of a server's log.
 *
 * @param json the params of {@code notifications/message}
 */
public record LogMessage(Json json) {

    /** The severity; empty if the server sent none that the protocol knows. */
    public Optional<LogLevel> level() {
        return json.string("level").flatMap(LogLevel::parse);
    }

    /** The part of the server that logs. */
    public Optional<String> logger() {
        return json.string("logger");
    }

    /** The message, a text or any other value. */
    public Optional<Json> data() {
        return json.member("data");
    }
}

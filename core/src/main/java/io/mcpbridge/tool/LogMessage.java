package io.mcpbridge.tool;

import io.mcpbridge.call.LogLevel;
import java.util.Optional;

/**
 * A log message of a server.
 *
 * @param json the params of {@code notifications/message}
 */
public record LogMessage(Json json) {

    /** The severity; empty if it is missing or the protocol does not define it. */
    public Optional<LogLevel> level() {
        return json.string("level").flatMap(LogLevel::parse);
    }

    /** The name of the server's logger. */
    public Optional<String> logger() {
        return json.string("logger");
    }

    /** The logged data: a string or any other JSON value. */
    public Optional<Json> data() {
        return json.member("data");
    }
}

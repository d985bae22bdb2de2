package io.mcpbridge.telemetry;

import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.MessageId;

/** Writes the ids of requests as the conventions want them: a string without its quotes. */
final class RequestIds {

    private RequestIds() {}

    static String text(MessageId id) {
        var raw = id.raw();
        return raw.startsWith("\"") ? JsonText.decode(raw) : raw;
    }
}

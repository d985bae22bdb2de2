package io.mcpbridge.era;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.List;

/**
 * The revisions that begin with {@code initialize}: capabilities were told once, so a request changes only in its
 * id and its progress token, and loses what a modern client says with each request.
 *
 * @param version a revision up to 2025-11-25
 */
public record LegacyDialect(ProtocolVersion version) implements Dialect {
    /** What only servers of the modern era understand. */
    private static final List<Part> ENVELOPE = List.of(
            Part.PROTOCOL_VERSION,
            Part.CLIENT_INFO,
            Part.CLIENT_CAPABILITIES,
            Part.LOG_LEVEL,
            Part.REQUEST_STATE,
            Part.INPUT_RESPONSES);

    @Override
    public Request dress(Request request, MessageId wireId, Caller caller) {
        var splice = request.splice().id(wireId);
        if (request.has(Part.PROGRESS_TOKEN)) {
            splice.replace(Part.PROGRESS_TOKEN, wireId.raw());
        }
        for (var part : ENVELOPE) {
            if (request.has(part)) {
                splice.remove(part);
            }
        }
        return (Request) splice.done();
    }
}

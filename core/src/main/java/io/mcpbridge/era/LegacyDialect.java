package io.mcpbridge.era;

import io.mcpbridge.call.Caller;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;

/**
 * The revisions that begin with {@code initialize}: capabilities were told once, so a request changes only in its
 * id and its progress token.
 *
 * @param version a revision up to 2025-11-25
 */
public record LegacyDialect(ProtocolVersion version) implements Dialect {

    @Override
    public Request dress(Request request, MessageId wireId, Caller caller) {
        var splice = request.splice().id(wireId);
        if (request.has(Part.PROGRESS_TOKEN)) {
            splice.replace(Part.PROGRESS_TOKEN, wireId.raw());
        }
        return (Request) splice.done();
    }
}

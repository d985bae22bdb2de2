package io.mcpbridge.transport.http.client;

import io.mcpbridge.message.Batch;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.ProtocolVersion;
import java.util.List;

/** Reads what a server sends in one piece. */
final class Pieces {

    private Pieces() {}

    /**
     * The message, or the messages of an array where the one revision is spoken that has them.
     *
     * @throws io.mcpbridge.failure.ProtocolException if it is neither
     */
    static List<Message> read(byte[] json, ProtocolVersion spoken, Limits limits) {
        boolean isBatch = spoken.equals(ProtocolVersion.V2025_03_26) && Batch.isBatch(json);
        return isBatch ? Batch.scan(json, limits) : List.of(Message.scanOfServer(json, limits));
    }
}

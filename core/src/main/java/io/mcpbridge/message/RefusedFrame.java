package io.mcpbridge.message;

final class RefusedFrame {
    static java.util.Optional<MessageId> readableId(byte[] json, Limits limits) {
        throw new UnsupportedOperationException();
    }
}

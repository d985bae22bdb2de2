package io.mcpbridge.message;

final class EnvelopeScanner {
    static Message scan(byte[] json, Limits limits) {
        throw new UnsupportedOperationException();
    }
}

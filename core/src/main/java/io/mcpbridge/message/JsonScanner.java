package io.mcpbridge.message;

final class JsonScanner {
    JsonScanner(byte[] json, Limits limits) {}

    int string(int at) {
        return at;
    }
}

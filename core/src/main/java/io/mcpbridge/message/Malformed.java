package io.mcpbridge.message;

final class Malformed {
    static String excerpt(byte[] b, int f, int t) {
        return "";
    }
}

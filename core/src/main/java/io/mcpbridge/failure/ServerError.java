package io.mcpbridge.failure;

/**
 * A JSON-RPC error that a server answered with.
 *
 * @param code the server's number
 * @param message the server's words
 * @param data the raw JSON of {@code error.data}, or the empty string where it is absent
 */
public record ServerError(int code, String message, String data) {}

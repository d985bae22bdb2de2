package io.mcpbridge;

/**
 * What a server asks a Java program while it works for it.
 *
 * @param server the configured name of the server, or how messages name the one of a connection
 * @param method what it asks for, such as {@code elicitation/create}
 * @param params the raw JSON of the params, an object
 */
public record Question(String server, String method, String params) {}

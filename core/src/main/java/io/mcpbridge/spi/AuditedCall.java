package io.mcpbridge.spi;

/**
 * What a record is about: the request that is made, and of whom. The records of one call share it.
 *
 * @param method {@code tools/call}, {@code resources/read}, {@code prompts/get} or {@code completion/complete}
 * @param server the configured name of the server, or the empty string for one of our own and where it is not known
 * @param tool the name at its server of the tool or prompt, or the URI of the resource
 * @param definition the raw JSON of the tool as its server lists it, or the empty string where that is not known
 * @param sandbox how firmly the server's process is held, such as {@code L2}, or the empty string for one that is no child
 *     of ours
 */
public record AuditedCall(String method, String server, String tool, String definition, String sandbox) {

    /** Of a server that is no child of ours, or of none. */
    public AuditedCall(String method, String server, String tool, String definition) {
        this(method, server, tool, definition, "");
    }
}

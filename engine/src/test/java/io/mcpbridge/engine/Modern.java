package io.mcpbridge.engine;

/** Requests of the modern era, as text and as HTTP brings them. */
final class Modern {
    static final String REVISION = "2026-07-28";
    static final String VERSION = "MCP-Protocol-Version";
    static final String METHOD = "Mcp-Method";
    static final String NAME = "Mcp-Name";

    private static final String KEY = "io.modelcontextprotocol/";

    /** The members of {@code _meta} that every request needs. */
    static final String ENVELOPE =
            meta("protocolVersion", "\"" + REVISION + "\"") + "," + meta("clientCapabilities", "{}");

    private Modern() {}

    /** A member of {@code _meta} in the protocol's own name space. */
    static String meta(String key, String value) {
        return "\"%s%s\":%s".formatted(KEY, key, value);
    }

    static String request(String id, String method, String params) {
        return request(id, method, params, "");
    }

    /**
     * A request.
     *
     * @param params members of {@code params}, or nothing
     * @param meta more members of {@code _meta}, or nothing
     */
    static String request(String id, String method, String params, String meta) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s\"_meta\":{%s%s}}}"
                .formatted(
                        id, method, params.isEmpty() ? "" : params + ",", ENVELOPE, meta.isEmpty() ? "" : "," + meta);
    }

    static String callJson(String id) {
        return request(id, "tools/call", "\"name\":\"a__b\"");
    }

    /** A call of the tool {@code a__b} with the headers that belong to it. */
    static RecordingExchange call(String id) {
        return withHeaders(callJson(id), "tools/call").withHeader(NAME, "a__b");
    }

    static RecordingExchange withHeaders(String json, String method) {
        return RecordingExchange.of(json).withHeader(VERSION, REVISION).withHeader(METHOD, method);
    }
}

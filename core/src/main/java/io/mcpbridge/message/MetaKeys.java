package io.mcpbridge.message;

/** The keys in {@code _meta} by which each modern request says what a handshake said once in the legacy era. */
public final class MetaKeys {
    /** The revision that the request is written in. */
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    /** The client's capabilities. */
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    /** Who the client says it is. */
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    /** The mildest log messages that the client wants. */
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    /** Who the server says it is; in results. */
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    /** Which {@code subscriptions/listen} a notification belongs to. */
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    /** The same for all attempts of one call, between bridges; a server that keeps outcomes by it runs the call once. */
    public static final String IDEMPOTENCY_KEY = "io.mcpbridge/idempotencyKey";
    /** Which bridge knows what became of the attempts before, where one is made only because of that. */
    public static final String IDEMPOTENCY_INSTANCE = "io.mcpbridge/idempotencyInstance";
    /** How many milliseconds the sender of the request still waits, between bridges. */
    public static final String TIMEOUT_MS = "io.mcpbridge/timeoutMs";

    private MetaKeys() {}
}

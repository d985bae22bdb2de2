package io.mcpbridge.message;

/**
 * The keys in {@code _meta}: those by which modern requests carry what the legacy era exchanged in the handshake, and
 * those of the bridge.
 */
public final class MetaKeys {
    /** The revision that the request is written in. */
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    /** The client's capabilities. */
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    /** The name and version of the client, as it reports them. */
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    /** The lowest level of log messages that the client wants. */
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    /** The name and version of the server, as it reports them; in results. */
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    /** The id of the {@code subscriptions/listen} request that a notification belongs to. */
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    /**
     * The idempotency key, equal for all attempts of one call; between bridges. A server that stores outcomes by this
     * key runs the call once.
     */
    public static final String IDEMPOTENCY_KEY = "io.mcpbridge/idempotencyKey";
    /** The bridge that knows the outcome of earlier attempts, if the call is retried only because of that. */
    public static final String IDEMPOTENCY_INSTANCE = "io.mcpbridge/idempotencyInstance";
    /**
     * What the servers behind a bridge say of themselves, by the name that clients see; in the results of {@code
     * initialize} and {@code server/discover}.
     */
    public static final String SERVER_INFOS = "io.mcpbridge/serverInfo";
    /** How many milliseconds the sender of the request will still wait; between bridges. */
    public static final String TIMEOUT_MS = "io.mcpbridge/timeoutMs";

    private MetaKeys() {}
}

package io.mcpbridge.message;

/**
 * How large a message and its pieces may be; what is one larger is refused.
 *
 * <p>A server gets more room than a client, because a single tool result may carry a whole document.
 * The same for all is how long keys, ids, methods and names may be: 1024, 128, 128 and 256 bytes as they are written, without
 * quotes. And the message itself, its params, result, error and {@code _meta} may each have 10,000 members that the protocol
 * does not know, because these are compared with one another.
 *
 * @param frameKey the name of the limit {@code maxBytes} in the configuration, for refusals
 * @param maxBytes bytes of one frame, without its line end
 * @param maxDepth objects and arrays that may lie inside one another; the message itself counts one
 * @param maxTokens keys, single values, objects and arrays in all
 */
public record Limits(String frameKey, int maxBytes, int maxDepth, int maxTokens) {

    /** The limits for messages of clients: 4 MiB and 200,000 tokens. */
    public static final Limits CLIENT = new Limits("client-frame", 4 << 20, 100, 200_000);

    /** The limits for messages of servers: 16 MiB and 4,000,000 tokens. */
    public static final Limits SERVER = new Limits("server-frame", 16 << 20, 100, 4_000_000);

    /** Members unknown to the protocol in one object of the envelope. */
    static final int MAX_OTHER_KEYS = 10_000;

    /** For messages made here of parts that were checked before. */
    static final Limits OWN = new Limits("server-frame", Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Limits {
        require(maxBytes, "maxBytes");
        require(maxDepth, "maxDepth");
        require(maxTokens, "maxTokens");
    }

    /** A copy whose number of bytes has another name in the configuration. */
    public Limits named(String newFrameKey) {
        return new Limits(newFrameKey, maxBytes, maxDepth, maxTokens);
    }

    /** A copy with another number of bytes. */
    public Limits withMaxBytes(int bytes) {
        return new Limits(frameKey, bytes, maxDepth, maxTokens);
    }

    private static void require(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("'%s' is %d but must be at least 1".formatted(name, value));
        }
    }
}

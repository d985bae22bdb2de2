package io.mcpbridge.message;

/**
 * Limits for the size of a message and its parts. Anything larger is rejected.
 *
 * <p>A server has higher limits than a client, because one tool result may contain a whole document. The lengths of
 * keys, ids, methods and names are limited for all peers: to 1024, 128, 128 and 256 bytes as written, without quotes.
 * The message itself, its params, result, error and {@code _meta} may each have 10,000 members that the protocol does
 * not define, because these keys are compared with one another.
 *
 * @param frameKey the configuration key of {@code maxBytes}, for error messages
 * @param maxBytes bytes of one frame, without its line end
 * @param maxDepth nesting depth of objects and arrays; the message itself counts as one
 * @param maxTokens the total number of keys, scalar values, objects and arrays
 */
public record Limits(String frameKey, int maxBytes, int maxDepth, int maxTokens) {

    /** The limits for messages of clients: 4 MiB and 200,000 tokens. */
    public static final Limits CLIENT = new Limits("client-frame", 4 << 20, 100, 200_000);

    /** The limits for messages of servers: 16 MiB and 4,000,000 tokens. */
    public static final Limits SERVER = new Limits("server-frame", 16 << 20, 100, 4_000_000);

    /** The maximum number of members that the protocol does not define in one object of the envelope. */
    static final int MAX_OTHER_KEYS = 10_000;

    /** For messages that are built from parts that were checked before. */
    static final Limits OWN = new Limits("server-frame", Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public Limits {
        require(maxBytes, "maxBytes");
        require(maxDepth, "maxDepth");
        require(maxTokens, "maxTokens");
    }

    /** A copy with another {@code maxBytes}. */
    public Limits withMaxBytes(int bytes) {
        return new Limits(frameKey, bytes, maxDepth, maxTokens);
    }

    private static void require(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("'%s' is %d but must be at least 1".formatted(name, value));
        }
    }
}

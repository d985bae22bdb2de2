package io.mcpbridge.call;

/**
 * The authenticated identity of a caller.
 *
 * @param name the user of the peer's process, the subject of a token, or {@code anonymous}
 * @param proof how it was proven: {@code peer-credentials}, {@code token}, {@code process} or {@code none}
 */
public record Principal(String name, String proof) {

    /** A client without proof of its identity. */
    public static final Principal ANONYMOUS = new Principal("anonymous", "none");

    public Principal {
        if (name.isEmpty() || proof.isEmpty()) {
            throw new IllegalArgumentException(
                    "a principal needs a name and a proof, but has '" + name + "', '" + proof + "'");
        }
    }
}

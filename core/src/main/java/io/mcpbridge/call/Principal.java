package io.mcpbridge.call;

import org.jspecify.annotations.Nullable;

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

    /** Written out, like {@link #hashCode}: what the JDK makes of a record at its first use delays the first answer. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Principal principal && name.equals(principal.name) && proof.equals(principal.proof);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + proof.hashCode();
    }
}

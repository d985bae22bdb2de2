package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Era;

/**
 * A client that has a session of a server, or all clients that cannot be asked anything.
 *
 * @param name our name for it, its {@link Caller#home()}
 * @param identity what it is known by when it comes back under another name; empty where nothing tells that
 * @param isLasting whether it says when it leaves
 * @param caller one of its callers
 */
record Sitter(String name, String identity, boolean isLasting, Caller caller) {
    /** All clients that cannot be asked anything. */
    private static final String MUTE = "mute";

    private static final String NOTHING = "{}";

    /** The client of this caller, whatever it can be asked. */
    static Sitter of(Caller caller) {
        return new Sitter(caller.home(), identity(caller), caller.audience() != Audience.NOBODY, caller);
    }

    /** The same for somebody who can be asked something, else everybody who cannot. */
    Sitter orMute() {
        return canAnswer() ? this : new Sitter(MUTE, "", false, caller);
    }

    boolean canAnswer() {
        return !name.equals(MUTE)
                && caller.canBeAsked()
                && !caller.capabilities().equals(NOTHING);
    }

    /** Whether it can be asked something while it has no call under way. */
    boolean canBeAskedAnyTime() {
        return canAnswer() && caller.era() == Era.LEGACY;
    }

    /** Whether servers can ask it for roots at any time. */
    boolean hasRoots() {
        return canBeAskedAnyTime() && caller.capabilities().contains("\"roots\":");
    }

    /** Whether both go by the same id and are of the same user. */
    boolean isSameClientAs(Sitter other) {
        return !identity.isEmpty() && identity.equals(other.identity);
    }

    private static String identity(Caller caller) {
        var principal = caller.principal();
        return caller.clientId().isEmpty()
                ? ""
                : String.join("\n", principal.proof(), principal.name(), caller.clientId());
    }
}

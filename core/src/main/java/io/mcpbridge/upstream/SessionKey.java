package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;

/**
 * Who may share a session of a server: callers with the same principal who can be asked the same things.
 *
 * @param principal the caller's name and how it was proven, or the empty string where the server is shared
 * @param capabilities as in {@link Caller#promised()}
 */
record SessionKey(String principal, String capabilities) {

    static SessionKey of(Caller caller, boolean shared) {
        var principal = caller.principal();
        return new SessionKey(shared ? "" : principal.proof() + ":" + principal.name(), caller.promised());
    }

    boolean hasSamePrincipal(SessionKey other) {
        return principal.equals(other.principal);
    }
}

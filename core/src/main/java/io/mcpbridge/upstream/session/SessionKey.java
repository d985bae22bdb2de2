package io.mcpbridge.upstream.session;

import io.mcpbridge.call.Caller;

/**
 * Who may share a session of a server: callers with the same principal who can be asked the same things.
 *
 * @param principal the caller's name and how it was proven, or the empty string where the server is shared
 * @param capabilities as in {@link Caller#promised()}
 */
public record SessionKey(String principal, String capabilities) {

    public static SessionKey of(Caller caller, boolean shared) {
        var principal = caller.principal();
        return new SessionKey(shared ? "" : principal.proof() + ":" + principal.name(), caller.promised());
    }

    public boolean hasSamePrincipal(SessionKey other) {
        return principal.equals(other.principal);
    }
}

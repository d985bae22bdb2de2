package io.mcpbridge.upstream.session;

import io.mcpbridge.call.Caller;

/**
 * Who may share a session of a server: callers with the same principal who can be asked the same things and, where the
 * server does not say whom it asks, who sit together.
 *
 * @param principal the caller's name and how it was proven, or the empty string where the server is shared
 * @param capabilities as in {@link Caller#promised()}
 * @param seat tells those apart who must not share; 0 for the session that is there for all
 */
public record SessionKey(String principal, String capabilities, long seat) {

    private static final String NOTHING = "{}";

    /** The session that is there for all callers like this one. */
    public static SessionKey of(Caller caller, boolean shared) {
        var principal = caller.principal();
        return new SessionKey(shared ? "" : principal.proof() + ":" + principal.name(), caller.promised(), 0);
    }

    public boolean hasSamePrincipal(SessionKey other) {
        return principal.equals(other.principal);
    }

    /** Whether its callers cannot be asked anything, so that no server knows one of them from another. */
    public boolean isOfEverybody() {
        return capabilities.equals(NOTHING);
    }

    /** Whether it is not kept for one client. */
    public boolean isCommon() {
        return seat == 0;
    }

    /** The session for the same callers at another seat. */
    public SessionKey at(long newSeat) {
        return new SessionKey(principal, capabilities, newSeat);
    }
}

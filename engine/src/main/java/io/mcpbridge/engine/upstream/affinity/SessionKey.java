package io.mcpbridge.engine.upstream.affinity;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ServerSettings;

/**
 * Which callers may share a session of a server: those of the same principal that can be asked the same things and, where
 * messages of the server do not identify their client, that have the same lease.
 *
 * @param principal the caller's name and how it was proven, or the empty string where the server is shared
 * @param capabilities as in {@link Caller#promised()}
 * @param lease tells the sessions of callers apart that must not share one; 0 for the common session of all
 */
public record SessionKey(String principal, String capabilities, long lease) {

    private static final String NOTHING = "{}";

    /** The common session of all callers like this one at a server that all users share or not, as its settings say. */
    public static SessionKey of(Caller caller, ServerSettings settings) {
        return settings.shared() ? new SessionKey("", caller.promised(), 0) : ofUser(caller);
    }

    /** The common session of all callers of one user like this one. */
    public static SessionKey ofUser(Caller caller) {
        var principal = caller.principal();
        return new SessionKey(principal.proof() + ":" + principal.name(), caller.promised(), 0);
    }

    public boolean hasSamePrincipal(SessionKey other) {
        return principal.equals(other.principal);
    }

    /** Whether its callers can be asked nothing, so that no server can tell them apart. */
    public boolean cannotBeAsked() {
        return capabilities.equals(NOTHING);
    }

    /** Whether it is not reserved for one client. */
    public boolean isCommon() {
        return lease == 0;
    }

    /** The session of the same callers under another lease. */
    public SessionKey at(long newLease) {
        return new SessionKey(principal, capabilities, newLease);
    }
}

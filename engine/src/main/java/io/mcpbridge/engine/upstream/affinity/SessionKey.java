package io.mcpbridge.engine.upstream.affinity;

import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ServerSettings;
import org.jspecify.annotations.Nullable;

/**
 * The key of a server session; callers with equal keys may share it. They have the same principal, accept the same
 * server requests and, if messages of the server do not identify their client, have the same lease.
 *
 * @param principal the caller's name and proof, or the empty string if the server is shared
 * @param capabilities as in {@link Caller#promised()}
 * @param lease distinguishes the sessions of callers that must not share one; 0 for the common session
 */
public record SessionKey(String principal, String capabilities, long lease) {

    private static final String NOTHING = "{}";

    /**
     * Returns the common session of callers like this one; across all users if the settings say that the server is
     * shared.
     */
    public static SessionKey of(Caller caller, ServerSettings settings) {
        return settings.shared() ? new SessionKey("", caller.promised(), 0) : ofUser(caller);
    }

    /** Returns the common session of callers like this one of the same user. */
    public static SessionKey ofUser(Caller caller) {
        var principal = caller.principal();
        return new SessionKey(principal.proof() + ":" + principal.name(), caller.promised(), 0);
    }

    public boolean hasSamePrincipal(SessionKey other) {
        return principal.equals(other.principal);
    }

    /** Whether its callers accept no server requests, so that no server can distinguish them. */
    public boolean cannotBeAsked() {
        return capabilities.equals(NOTHING);
    }

    /** Whether it is not reserved for one client. */
    public boolean isCommon() {
        return lease == 0;
    }

    /** Returns the key of the same callers under another lease. */
    public SessionKey at(long newLease) {
        return new SessionKey(principal, capabilities, newLease);
    }

    /** Written out, like {@link #hashCode}: what the JDK makes of a record at its first use delays the start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SessionKey key
                && lease == key.lease
                && principal.equals(key.principal)
                && capabilities.equals(key.capabilities);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * principal.hashCode() + capabilities.hashCode()) + Long.hashCode(lease);
    }
}

package io.mcpbridge.engine.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import java.time.Instant;

/**
 * One connected client at one moment. Immutable.
 *
 * @param session the bridge's name for its session; for a modern client over HTTP, for the oldest of its requests in
 *     flight
 * @param description its self-description
 * @param origin its principal, and from where and since when it is connected
 * @param callsInFlight its requests in flight
 */
public record ClientSnapshot(String session, ClientDescription description, Origin origin, int callsInFlight) {

    /** The negotiated revision, or the empty string before the handshake. */
    public String protocol() {
        return description.equals(ClientDescription.SILENT)
                ? ""
                : description.agreed().text();
    }

    /** The principal of a client, and from where and since when it is connected. */
    public record Origin(Principal principal, String network, String address, Instant since) {}

    /**
     * A request in flight, as a sign of a client without a connection.
     *
     * @param address the address from which the request came; empty if unknown
     * @param calls 1 for a call, 0 for a subscription stream
     */
    record Activity(Caller caller, String address, Instant since, int calls) {}
}

package io.mcpbridge.engine.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * One connected client, for operators.
 *
 * @param session the bridge's name for its session; for a modern client over HTTP, for the oldest of its requests in
 *     flight
 * @param clientId its client id, or the empty string
 * @param name its own name, or the empty string before its handshake
 * @param version its own version
 * @param protocol the negotiated revision, or the empty string before its handshake
 * @param era {@code legacy} or {@code modern}
 * @param processId the process id that it stated, or the empty string
 * @param protocols what it listed under {@code clientInfo.protocols}
 * @param principal the authenticated principal
 * @param network {@code unix}, {@code tcp} or {@code pipe}
 * @param address its remote address
 * @param since when it connected
 * @param callsInFlight its requests in flight
 */
public record ClientStatus(
        String session,
        String clientId,
        String name,
        String version,
        String protocol,
        String era,
        String processId,
        List<String> protocols,
        Principal principal,
        String network,
        String address,
        Instant since,
        int callsInFlight) {

    /** Creates the status of a client with this self-description. */
    static ClientStatus of(String session, ClientDescription card, Origin origin, int callsInFlight) {
        return new ClientStatus(
                session,
                card.clientId(),
                card.name(),
                card.version(),
                card.equals(ClientDescription.SILENT) ? "" : card.agreed().text(),
                card.agreed().era().name().toLowerCase(Locale.ROOT),
                card.processId(),
                card.protocols(),
                origin.principal(),
                origin.network(),
                origin.address(),
                origin.since(),
                callsInFlight);
    }

    /** The principal of a client, and from where and since when it is connected. */
    record Origin(Principal principal, String network, String address, Instant since) {}

    /**
     * A request in flight, as a sign of a client without a connection.
     *
     * @param calls 1 for a call, 0 for a subscription stream
     */
    record Activity(Caller caller, Instant since, int calls) {}
}

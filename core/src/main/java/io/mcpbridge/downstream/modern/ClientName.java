package io.mcpbridge.downstream.modern;

/**
 * Our names for whoever sends a request.
 *
 * @param session whose request it is: what servers ask or say for it reaches nobody else
 * @param home with whose other requests it shares sessions of servers
 */
public record ClientName(String session, String home) {

    /** A client that is told from all others. */
    public static ClientName of(String session) {
        return new ClientName(session, session);
    }
}

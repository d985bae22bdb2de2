package io.mcpbridge.spi;

import io.mcpbridge.call.Principal;

/**
 * The other end of an accepted connection.
 *
 * @param principal the authenticated identity of the peer; on HTTP each exchange has its own
 * @param shape whether messages share one stream, as on sockets and pipes, or each has its own, as on HTTP
 * @param network {@code unix}, {@code pipe} or {@code tcp}
 * @param address the address, for logs; on HTTP that of the listener, and each exchange has the client's
 */
public record Peer(Principal principal, TransportTraits.Shape shape, String network, String address) {}

package io.mcpbridge.transport.http.listener;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Occurrences;
import io.netty.channel.socket.SocketChannel;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells the acceptor whom and what a listener turned away, without a word that came from there. Any thread may use
 * it.
 */
final class Notes {
    private final Acceptor acceptor;
    private final String listener;
    private final Occurrences occurrences = new Occurrences();

    Notes(Acceptor acceptor, String listener) {
        this.acceptor = acceptor;
        this.listener = listener;
    }

    /** A request got this status instead of being handed over. */
    void refused(String host, int status) {
        switch (status) {
            case 401, 403 -> note(AuditNote.PEER_REFUSED, host, Map.of("status", Integer.toString(status)));
            case 400, 408, 413, 431 -> note(AuditNote.FRAME_REFUSED, host, Map.of("status", Integer.toString(status)));
            default -> {
                // A client that asks for something else, such as another method, is no danger.
            }
        }
    }

    /** There are as many connections as may be. */
    void flood(String host, int limit) {
        note(AuditNote.CONNECTION_FLOOD, host, Map.of("reason", "%d is the limit 'connections'".formatted(limit)));
    }

    /** A client did not read what waited for it and lost its connection; {@code reason} says how slow it was. */
    void slowReader(String host, String reason) {
        note(AuditNote.SLOW_READER, host, "", Map.of("reason", reason));
    }

    /** Where a connection comes from; empty if it is gone already. */
    static String host(SocketChannel channel) {
        var address = channel.remoteAddress();
        return address == null ? "" : address.getAddress().getHostAddress();
    }

    /** The host in what a socket's address looks like in logs, {@code /127.0.0.1:5000}. */
    static String host(String address) {
        return address.replaceFirst("^[^/]*/", "").replaceFirst(":\\d+$", "");
    }

    private void note(String kind, String host, Map<String, String> details) {
        note(kind, host, details.toString(), details);
    }

    /** {@code sort} tells occurrences of one kind apart that are counted each on their own. */
    private void note(String kind, String host, String sort, Map<String, String> details) {
        occurrences.count(kind + sort + host).ifPresent(count -> {
            var all = new HashMap<>(details);
            all.put("listener", listener);
            all.put("peer", host);
            all.put("count", Long.toString(count));
            acceptor.note(new AuditNote(kind, all));
        });
    }
}

package io.mcpbridge.transport.http.listener;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports rejected peers and requests to the acceptor for the audit trail, without quoting them. Any thread may use it.
 */
final class RejectionReporter {
    private final Acceptor acceptor;
    private final String listener;
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    RejectionReporter(Acceptor acceptor, String listener) {
        this.acceptor = acceptor;
        this.listener = listener;
    }

    /** Reports that a request was rejected with this status. */
    void refused(String host, int status) {
        switch (status) {
            case 401, 403 -> note(AuditNote.PEER_REFUSED, host, Map.of("status", Integer.toString(status)));
            case 400, 408, 413, 431 -> note(AuditNote.FRAME_REFUSED, host, Map.of("status", Integer.toString(status)));
            default -> {
                // Other statuses, such as for a wrong method, are no threat.
            }
        }
    }

    /** Reports that the limit of connections is reached. */
    void flood(String host, int limit) {
        note(AuditNote.CONNECTION_FLOOD, host, Map.of("reason", "%d is the limit 'connections'".formatted(limit)));
    }

    /** Reports that a client lost its connection because it did not read; {@code reason} says how slow it was. */
    void slowReader(String host, String reason) {
        note(AuditNote.SLOW_READER, host, "", Map.of("reason", reason));
    }

    /** The host of the client; empty if the connection has ended. */
    static String host(@Nullable SocketAddress client) {
        return client instanceof InetSocketAddress known ? known.getAddress().getHostAddress() : "";
    }

    private void note(String kind, String host, Map<String, String> details) {
        note(kind, host, details.toString(), details);
    }

    /** Events with different {@code sort} are sampled separately. */
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

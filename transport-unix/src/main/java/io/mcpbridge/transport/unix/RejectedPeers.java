package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.PowerOfTwoSampler;
import java.nio.file.Path;
import java.util.Map;

/** Reports the connections that one socket rejected to the log and the audit trail. Any thread may use it. */
final class RejectedPeers {
    private final Path socket;
    private final Environment environment;
    private final Acceptor acceptor;
    private final PowerOfTwoSampler occurrences = new PowerOfTwoSampler();

    RejectedPeers(Path socket, Environment environment, Acceptor acceptor) {
        this.socket = socket;
        this.environment = environment;
        this.acceptor = acceptor;
    }

    /** Reports a user who may not connect. */
    void unauthorized(String user, String why) {
        report(AuditNote.PEER_REFUSED, user, why, "rejected a connection of user '%s': %s".formatted(user, why));
    }

    /** Reports that there are too many connections; {@code user} is empty if the user is unknown. */
    void flood(String user, String why) {
        report(AuditNote.CONNECTION_FLOOD, user, why, why);
    }

    private void report(String kind, String user, String why, String message) {
        occurrences.count(kind + user).ifPresent(count -> {
            var soFar = Long.toString(count);
            environment
                    .logger()
                    .log(System.Logger.Level.WARNING, "[mcp-bridge] unix:{0} {1} ({2} so far)", socket, message, soFar);
            acceptor.note(new AuditNote(
                    kind, Map.of("listener", "unix:" + socket, "user", user, "reason", why, "count", soFar)));
        });
    }
}

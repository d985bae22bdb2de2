package io.mcpbridge.transport.unix;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Occurrences;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Tells the log and the acceptor who was turned away at the door of one socket. Any thread may use it. */
final class Refusals {
    private final Path socket;
    private final Environment environment;
    private final Acceptor acceptor;
    private final Occurrences occurrences = new Occurrences();
    private final AtomicLong all = new AtomicLong();

    Refusals(Path socket, Environment environment, Acceptor acceptor) {
        this.socket = socket;
        this.environment = environment;
        this.acceptor = acceptor;
    }

    /** How many connections were turned away. */
    long count() {
        return all.get();
    }

    /** Somebody may not connect. */
    void peer(String user, String why) {
        tell(AuditNote.PEER_REFUSED, user, why, "refused a connection of user '%s': %s".formatted(user, why));
    }

    /** Somebody has more connections than there is room for; {@code user} is empty where nobody can tell whose. */
    void flood(String user, String why) {
        tell(AuditNote.CONNECTION_FLOOD, user, why, why);
    }

    private void tell(String kind, String user, String why, String words) {
        all.incrementAndGet();
        occurrences.count(kind + user).ifPresent(count -> {
            var soFar = Long.toString(count);
            environment
                    .logger()
                    .log(System.Logger.Level.WARNING, "[mcp-bridge] unix:{0} {1} ({2} so far)", socket, words, soFar);
            acceptor.note(new AuditNote(
                    kind, Map.of("listener", "unix:" + socket, "user", user, "reason", why, "count", soFar)));
        });
    }
}

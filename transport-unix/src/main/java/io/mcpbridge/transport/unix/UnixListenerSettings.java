package io.mcpbridge.transport.unix;

import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.ClientStreamLimits;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a listener on a Unix socket: its path, and the limits for clients.
 *
 * @param path the socket, absolute; at most 106 bytes
 * @param backlog how many connections may wait to be accepted; at least 1
 * @param grace how long a connection may stay open without sending a byte; longer than zero
 * @param maxConnections how many connections one user may have; at least 1
 * @param maxSilentConnections how many connections may be open that have sent nothing; at least 1
 * @param lines the limits of each client
 */
public record UnixListenerSettings(
        Path path,
        int backlog,
        Duration grace,
        int maxConnections,
        int maxSilentConnections,
        ClientStreamLimits lines) {

    private static final int BACKLOG = 1_024;
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int MAX_CONNECTIONS = 8_192;
    private static final int MAX_SILENT_CONNECTIONS = 512;

    public UnixListenerSettings {
        UnixSocket.checked(path);
        new MistakeCollector()
                .unless(backlog >= 1, "backlog", backlog, "at least 1")
                .unless(grace.compareTo(Duration.ZERO) > 0, "grace", grace, "longer than zero")
                .unless(maxConnections >= 1, "max-connections", maxConnections, "at least 1")
                .unless(maxSilentConnections >= 1, "max-silent-connections", maxSilentConnections, "at least 1")
                .throwIfAny();
    }

    /** The settings for a socket, with defaults for everything else. */
    public static UnixListenerSettings of(Path path) {
        return new UnixListenerSettings(
                path.toAbsolutePath().normalize(),
                BACKLOG,
                GRACE,
                MAX_CONNECTIONS,
                MAX_SILENT_CONNECTIONS,
                ClientStreamLimits.DEFAULTS);
    }

    /** Reads the section of the listener; a key that is absent keeps its default. */
    public static UnixListenerSettings from(Settings settings, Path defaultPath) {
        return from(settings, defaultPath, ClientStreamLimits.DEFAULTS);
    }

    /** Reads the section with other defaults for the limits of each client. */
    static UnixListenerSettings from(Settings settings, Path defaultPath, ClientStreamLimits usual) {
        var path = settings.text("path").or(() -> settings.text("socketPath"));
        if (settings.has("path") && settings.text("socketPath").isPresent()) {
            settings.reject("socketPath", "left out where 'path' is given");
        }
        int backlog = settings.integer("backlog", BACKLOG);
        var grace = settings.duration("grace", GRACE);
        int connections = settings.integer("max-connections", MAX_CONNECTIONS);
        int silent = settings.integer("max-silent-connections", MAX_SILENT_CONNECTIONS);
        var deadline = settings.duration("frame-deadline", usual.frameDeadline());
        int queued = settings.integer("max-queued-bytes", usual.maxQueuedBytes());
        return settings.finish(() -> new UnixListenerSettings(
                path.map(SocketPath::of).orElse(defaultPath),
                backlog,
                grace,
                connections,
                silent,
                usual.withFrameDeadline(deadline).withMaxQueuedBytes(queued)));
    }
}

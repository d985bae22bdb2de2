package io.mcpbridge.transport.unix;

import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;

/**
 * The settings of a transport to a Unix socket: its path, and how many messages may be queued.
 *
 * @param path the socket, absolute; at most 106 bytes
 * @param maxQueued how many messages may wait until the server reads them; at least 1
 * @param maxQueuedBytes how many bytes may wait; at least 1; a single message may always wait
 */
public record UnixTransportSettings(Path path, int maxQueued, int maxQueuedBytes) {

    /** The default number of messages that may wait for one server. */
    public static final int DEFAULT_MAX_QUEUED = 1_024;

    /** The default: one message of the largest size plus 64 KiB. */
    public static final int DEFAULT_MAX_QUEUED_BYTES = Limits.SERVER.maxBytes() + 64 * 1024;

    public UnixTransportSettings {
        UnixSocket.checked(path);
        new MistakeCollector()
                .unless(maxQueued >= 1, "max-queued", maxQueued, "at least 1")
                .unless(maxQueuedBytes >= 1, "max-queued-bytes", maxQueuedBytes, "at least 1")
                .throwIfAny();
    }

    /** The settings for a socket, with defaults for everything else. */
    public static UnixTransportSettings of(Path path) {
        return new UnixTransportSettings(
                path.toAbsolutePath().normalize(), DEFAULT_MAX_QUEUED, DEFAULT_MAX_QUEUED_BYTES);
    }

    /**
     * Reads the section of a server: {@code path} or, instead, {@code url} as {@code unix:/path}; a limit that is
     * absent keeps its default.
     */
    public static UnixTransportSettings from(Settings settings) {
        var key = settings.has("path") || !settings.has("url") ? "path" : "url";
        var address = settings.requiredText(key);
        if (key.equals("path") && settings.text("url").isPresent()) {
            settings.reject("url", "left out where 'path' is given");
        }
        if (address.isBlank() && settings.has(key)) {
            settings.reject(key, "the path of a socket, such as /run/user/1000/tool.sock");
        }
        int messages = settings.integer("max-queued", DEFAULT_MAX_QUEUED);
        int bytes = settings.integer("max-queued-bytes", DEFAULT_MAX_QUEUED_BYTES);
        return settings.finish(() -> new UnixTransportSettings(
                key.equals("url") ? SocketPath.ofUri(address) : SocketPath.of(address), messages, bytes));
    }
}

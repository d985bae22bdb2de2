package io.mcpbridge.transport.unix;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.UnixSocket;
import io.mcpbridge.spi.MistakeCollector;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Parses the paths of sockets. */
final class SocketPath {
    private static final String SCHEME = "unix:";

    private SocketPath() {}

    /** The absolute form of a path, which may also be a URI such as {@code unix:/run/tool.sock}. */
    static Path of(String text) {
        if (text.startsWith(SCHEME)) {
            return ofUri(text);
        }
        try {
            return UnixSocket.checked(Path.of(text).toAbsolutePath().normalize());
        } catch (InvalidPathException invalid) {
            throw ConfigurationException.of(
                    "'%s' is not a path: %s".formatted(text.replace('\0', '?'), invalid.getReason()));
        }
    }

    /** The path in a URI such as {@code unix:/run/tool.sock}. */
    static Path ofUri(String text) {
        try {
            var uri = URI.create(text);
            var plain = uri.getAuthority() == null && uri.getQuery() == null && uri.getFragment() == null;
            if (text.startsWith(SCHEME) && plain && uri.getPath() != null) {
                return UnixSocket.checked(
                        Path.of(uri.getPath()).toAbsolutePath().normalize());
            }
        } catch (IllegalArgumentException notAUri) {
            // Reported below.
        }
        throw ConfigurationException.of("%s is not the address of a socket; write it as unix:/run/user/1000/tool.sock"
                .formatted(MistakeCollector.shown(text)));
    }

    static URI uri(Path path) {
        return URI.create(SCHEME + path.toUri().getRawPath());
    }
}

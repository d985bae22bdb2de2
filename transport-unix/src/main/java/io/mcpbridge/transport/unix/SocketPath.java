package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ConfigurationException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Reads and checks the paths of sockets. */
final class SocketPath {

    /** What the system takes: its field has 108 bytes, of which Java uses all but two. */
    static final int MAX_BYTES = 106;

    private static final String SCHEME = "unix:";

    private SocketPath() {}

    /** The absolute form of a path, or of a URI such as {@code unix:/run/user/1000/tool.sock}. */
    static Path of(String text) {
        var plain = text.startsWith(SCHEME) ? withoutScheme(text) : text;
        if (plain.isEmpty()) {
            throw ConfigurationException.of("the path of the socket is empty; name a file such as /run/tool.sock");
        }
        try {
            return checked(Path.of(plain).toAbsolutePath().normalize());
        } catch (InvalidPathException invalid) {
            throw ConfigurationException.of(
                    "'%s' is not a path: %s".formatted(text.replace('\0', '?'), invalid.getReason()));
        }
    }

    /** Returns the path if the system can take it. */
    static Path checked(Path path) {
        int length = length(path);
        if (length > MAX_BYTES) {
            throw ConfigurationException.of(
                    "the path of the socket '%s' has %d bytes but must have at most %d; choose a shorter one"
                            .formatted(path, length, MAX_BYTES));
        }
        if (path.getFileName() == null) {
            throw ConfigurationException.of("'%s' is a directory; name a file in it".formatted(path));
        }
        return path;
    }

    /** What the system counts. */
    static int length(Path path) {
        return path.toString().getBytes(UTF_8).length;
    }

    static URI uri(Path path) {
        return URI.create(SCHEME + path.toUri().getRawPath());
    }

    private static String withoutScheme(String text) {
        try {
            var uri = URI.create(text);
            var path = uri.isOpaque() ? uri.getSchemeSpecificPart() : uri.getPath();
            if (path != null && uri.getAuthority() == null && uri.getQuery() == null && uri.getFragment() == null) {
                return path;
            }
        } catch (IllegalArgumentException notUri) {
            // Told below, in the same words.
        }
        throw ConfigurationException.of(
                "'%s' is not the address of a socket; write it as unix:/run/user/1000/tool.sock".formatted(text));
    }
}

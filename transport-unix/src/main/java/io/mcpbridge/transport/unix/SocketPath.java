package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Parses and checks the paths of sockets. */
final class SocketPath {

    /** The longest path that the system accepts: its field has 108 bytes, and Java uses all but two. */
    static final int MAX_BYTES = 106;

    private static final String SCHEME = "unix:";

    private SocketPath() {}

    /** The absolute form of a path, which may also be a URI such as {@code unix:/run/tool.sock}. */
    static Path of(String text) {
        if (text.startsWith(SCHEME)) {
            return ofUri(text);
        }
        try {
            return checked(Path.of(text).toAbsolutePath().normalize());
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
                return checked(Path.of(uri.getPath()).toAbsolutePath().normalize());
            }
        } catch (IllegalArgumentException notAUri) {
            // Reported below.
        }
        throw ConfigurationException.of("%s is not the address of a socket; write it as unix:/run/user/1000/tool.sock"
                .formatted(MistakeCollector.shown(text)));
    }

    /** Returns the path if the system accepts it. */
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

    /** The length in bytes. */
    static int length(Path path) {
        return path.toString().getBytes(UTF_8).length;
    }

    static URI uri(Path path) {
        return URI.create(SCHEME + path.toUri().getRawPath());
    }
}

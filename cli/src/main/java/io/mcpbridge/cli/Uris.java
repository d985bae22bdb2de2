package io.mcpbridge.cli;

import java.nio.file.Path;

/** Writes paths as parts of URIs. */
final class Uris {

    private Uris() {}

    /** The path of a file with what a URI cannot hold escaped. */
    static String path(Path path) {
        return path.toAbsolutePath().toUri().getRawPath();
    }
}

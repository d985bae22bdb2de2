package io.mcpbridge.transport.unix;

import java.io.Closeable;
import java.io.IOException;

/** Closes what is of no use any more. */
final class Quietly {

    private Quietly() {}

    /** Closes it; that this fails helps nobody to know. */
    static void close(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            // The descriptor is gone either way.
        }
    }
}

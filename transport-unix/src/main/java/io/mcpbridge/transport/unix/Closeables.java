package io.mcpbridge.transport.unix;

import java.io.Closeable;
import java.io.IOException;

/** Closes resources where a failure to close does not matter. */
final class Closeables {

    private Closeables() {}

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            // The descriptor is released in any case.
        }
    }
}

package io.mcpbridge.discovery;

import io.mcpbridge.spi.Provider;

/** An extension point of which no provider is known to anybody but the tests. */
public interface PigeonProvider extends Provider {

    /** The payload of the provider, to distinguish it from others. */
    default String letter() {
        return getClass().getSimpleName();
    }
}

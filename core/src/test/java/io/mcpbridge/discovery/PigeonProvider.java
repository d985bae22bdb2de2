package io.mcpbridge.discovery;

import io.mcpbridge.spi.Provider;

/** An extension point of which no provider is known to anybody but the tests. */
public interface PigeonProvider extends Provider {

    /** What the provider carries, to tell one from another. */
    default String letter() {
        return getClass().getSimpleName();
    }
}

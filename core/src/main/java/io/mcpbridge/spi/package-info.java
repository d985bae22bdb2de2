/**
 * The extension points of the bridge.
 *
 * <p>Each is a pair: a small interface that does the work, such as {@link io.mcpbridge.spi.Transport}, and a
 * provider that names and makes it, such as {@link io.mcpbridge.spi.TransportProvider}. A plug-in lists its
 * provider in {@code META-INF/services}; configuration picks one by its {@linkplain
 * io.mcpbridge.spi.Provider#name() name}.
 *
 * <p>Inside these interfaces nothing waits, save where a method says that it may. Uses {@code failure},
 * {@code message}, {@code call}, {@code tool}, {@code event} and the JDK. A plug-in that needs more has found a gap in an
 * extension point: mend it here rather than reach into the core.
 */
@NullMarked
package io.mcpbridge.spi;

import org.jspecify.annotations.NullMarked;

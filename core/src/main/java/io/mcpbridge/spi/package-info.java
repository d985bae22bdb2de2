/**
 * The extension points of the bridge.
 *
 * <p>Each is a pair: a small interface that does the work, such as {@link io.mcpbridge.spi.Transport}, and a provider
 * that names and makes it, such as {@link io.mcpbridge.spi.TransportProvider}. A plug-in lists its provider in {@code
 * META-INF/services}; the configuration selects one by its {@linkplain io.mcpbridge.spi.Provider#name() name}.
 *
 * <p>{@link io.mcpbridge.spi.KnownValueFinder} and {@link io.mcpbridge.spi.SecretSpans} find secrets in texts of others,
 * so that logs and records can leave them out.
 *
 * <p>The methods of these interfaces do not block, except where their comments allow it. Uses {@code failure}, {@code
 * message}, {@code call}, {@code tool}, {@code event} and the JDK. If a plug-in needs more, extend the extension point
 * here instead of using internal types of core.
 */
@NullMarked
package io.mcpbridge.spi;

import org.jspecify.annotations.NullMarked;

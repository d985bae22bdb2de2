/**
 * Adapters between the bridge and the official Java SDK of the Model Context Protocol.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core}, the SDK and the JDK.
 */
@NullMarked
package io.mcpbridge.sdk;

import org.jspecify.annotations.NullMarked;

/**
 * What the client and the listener share: event loops and the names on the wire.
 *
 * <p>May use {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.internal;

import org.jspecify.annotations.NullMarked;

/**
 * Shared by the client and the listener: event loops, bodies and header names.
 *
 * <p>Uses {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.internal;

import org.jspecify.annotations.NullMarked;

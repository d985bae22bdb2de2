/**
 * Reaches servers and serves clients over Streamable HTTP.
 *
 * <p>Holds nothing itself: start reading at {@code client} for the way to servers and at {@code listener} for
 * the way in. Both stand on Netty's event loops, where nothing waits.
 *
 * <p>May use {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http;

import org.jspecify.annotations.NullMarked;

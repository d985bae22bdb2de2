/**
 * Transport and listener over Streamable HTTP.
 *
 * <p>Start at {@code client} for connections to servers, and at {@code listener} for clients. Both run on Netty's event
 * loops, where nothing waits.
 *
 * <p>Uses {@code core}, {@code support}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http;

import org.jspecify.annotations.NullMarked;

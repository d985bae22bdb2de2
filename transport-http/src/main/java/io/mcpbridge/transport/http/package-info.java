/**
 * Reaches servers and serves clients over HTTP: Streamable HTTP of both eras, and HTTP+SSE of
 * 2024-11-05.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http;

import org.jspecify.annotations.NullMarked;

/**
 * The listener for Streamable HTTP of both eras, and for HTTP+SSE of 2024-11-05.
 *
 * <p>Start at {@code HttpListener}: each connection has a {@code ConnectionHandler}, whose {@code RequestReader} has a
 * {@code RequestValidator} check each request. The {@code RequestDispatcher} creates an {@code HttpExchange}, an {@code
 * HttpBatch} or an {@code SseListenerSession} of it. {@code ReplayStore} holds the streams that clients may resume.
 *
 * <p>Uses {@code internal}, {@code core}, {@code support}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.listener;

import org.jspecify.annotations.NullMarked;

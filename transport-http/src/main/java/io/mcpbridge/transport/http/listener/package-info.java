/**
 * Serves clients over Streamable HTTP of both eras, and over HTTP+SSE of 2024-11-05.
 *
 * <p>Start reading at {@code HttpListener}: each connection has a {@code RequestHandler}, which lets a {@code Gate}
 * judge a request's head and collects its body; the {@code Reception} makes an {@code HttpExchange} of it, an {@code
 * HttpBatch} or an {@code SseStream}. Streams that can be taken up again are kept by {@code ReplayStore}.
 *
 * <p>May use {@code internal}, {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.listener;

import org.jspecify.annotations.NullMarked;

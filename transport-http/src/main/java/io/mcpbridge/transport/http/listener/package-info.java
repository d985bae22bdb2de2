/**
 * Serves clients over Streamable HTTP.
 *
 * <p>Start reading at {@link HttpListener}: each connection has a {@code RequestHandler}, which lets a {@code
 * Gate} judge a request's head, collects its body and hands the core an {@code HttpExchange}. Streams that
 * can be taken up again are kept by {@code ReplayStore}.
 *
 * <p>May use {@code internal}, {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.listener;

import org.jspecify.annotations.NullMarked;

/**
 * The client of Streamable HTTP of both eras, and of HTTP+SSE of 2024-11-05.
 *
 * <p>Start at {@code HttpTransport} and its {@code StreamableHttpClient}, which sends each message as a {@code
 * PostRequest} on an {@code HttpConnection} of the {@code HttpConnectionPool}. An {@code EventStream} is
 * requested by GET: the rest of a response that broke, the stream of messages that belong to no request, or that of an
 * {@code SseSession}, which speaks the oldest revision.
 *
 * <p>Uses {@code internal}, {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.client;

import org.jspecify.annotations.NullMarked;

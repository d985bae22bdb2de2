/**
 * Speaks Streamable HTTP of both eras, and HTTP+SSE of 2024-11-05, to servers.
 *
 * <p>Start reading at {@code HttpTransport} and its {@code Conversation}, which makes a {@code Post} of each message;
 * that runs on a {@code Connection} out of the {@code ConnectionPool}. {@code Resumption} takes up streams that broke,
 * {@code ListenStream} hears what belongs to no request, {@code EventSession} is the stream of the oldest revision.
 *
 * <p>May use {@code internal}, {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.client;

import org.jspecify.annotations.NullMarked;

/**
 * Speaks Streamable HTTP to servers.
 *
 * <p>Start reading at {@link HttpTransport}: it makes a {@code Post} of each message, which runs on a {@code
 * Connection} out of the {@code ConnectionPool}. {@code Resumption} takes up streams that broke, {@code
 * ListenStream} hears what belongs to no request.
 *
 * <p>May use {@code internal}, {@code core}, Netty and the JDK.
 */
@NullMarked
package io.mcpbridge.transport.http.client;

import org.jspecify.annotations.NullMarked;

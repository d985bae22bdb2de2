/**
 * The clients in front of the bridge: their sessions, what they send, and what they are told.
 *
 * <p>Start at {@link io.mcpbridge.downstream.Clients}, which every listener hands its peers to. A {@code
 * ClientSession} classifies what one client sends; requests become calls for the handler behind it.
 *
 * <p>Uses {@code call}, {@code pipeline}, {@code spi} and what they use; knows nothing of servers.
 */
@NullMarked
package io.mcpbridge.downstream;

import org.jspecify.annotations.NullMarked;

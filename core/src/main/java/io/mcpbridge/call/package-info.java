/**
 * One client-visible request under way, and how its outcome comes back.
 *
 * <p>Start at {@link Handler}: the router, the stages and the servers behind them are all handlers. A
 * handler never waits; it answers through the {@link Reply}, at once or later, from any thread.
 *
 * <p>Uses {@code failure}, {@code message} and the JDK.
 */
@NullMarked
package io.mcpbridge.call;

import org.jspecify.annotations.NullMarked;

/**
 * A call, its handlers, its deadline and cancellation, and its outcome.
 *
 * <p>Start at {@link Call} and {@link Handler}: the pipeline of stages and the servers behind it are handlers. A
 * handler never blocks; it answers through the {@link Reply}, at once or later, on any thread.
 *
 * <p>Uses {@code failure}, {@code message} and the JDK.
 */
@NullMarked
package io.mcpbridge.call;

import org.jspecify.annotations.NullMarked;

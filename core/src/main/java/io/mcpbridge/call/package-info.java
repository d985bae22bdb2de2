/**
 * A call, its handlers, its deadline and cancellation, and its outcome.
 *
 * <p>Start at {@link Call} and {@link Handler}: a pipeline of stages is a handler, and so are the servers behind it. A
 * handler never blocks; it answers through the {@link Reply}, at once or later, on any thread.
 *
 * <p>Uses {@code failure}, {@code message} and the JDK.
 */
@NullMarked
package io.mcpbridge.call;

import org.jspecify.annotations.NullMarked;

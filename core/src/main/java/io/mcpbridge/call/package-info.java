/**
 * One client-visible request under way, and how its outcome comes back.
 *
 * <p>Start at {@link Call} and {@link Handler}: the pipeline of stages and the servers behind it are handlers. A
 * handler never waits; it answers through the {@link Reply}, at once or later, from any thread.
 *
 * <p>Uses {@code failure}, {@code message} and the JDK.
 */
@NullMarked
package io.mcpbridge.call;

import org.jspecify.annotations.NullMarked;

/**
 * Two sinks at once: the first decides what is durable, the mirror gets the same on a best effort.
 *
 * <p>{@link io.mcpbridge.audit.mirror.Mirror} reads the key {@code mirror} for the providers of sinks that keep a trail.
 */
@NullMarked
package io.mcpbridge.audit.mirror;

import org.jspecify.annotations.NullMarked;

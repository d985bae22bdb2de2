/**
 * What happens to servers and tools, for whoever wants to watch.
 *
 * <p>Start at {@link io.mcpbridge.event.EventBus}. Uses the JDK.
 */
@NullMarked
package io.mcpbridge.event;

import org.jspecify.annotations.NullMarked;

/**
 * What happens to servers and tools, for observers.
 *
 * <p>Start at {@link io.mcpbridge.event.EventBus}. Uses the JDK.
 */
@NullMarked
package io.mcpbridge.event;

import org.jspecify.annotations.NullMarked;

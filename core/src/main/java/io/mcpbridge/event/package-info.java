/**
 * Events of servers and tools, and the bus that delivers them.
 *
 * <p>Start at {@link io.mcpbridge.event.EventBus}. Uses the JDK.
 */
@NullMarked
package io.mcpbridge.event;

import org.jspecify.annotations.NullMarked;

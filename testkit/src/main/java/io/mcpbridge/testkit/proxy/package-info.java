/**
 * A proxy that does to a connection what networks do.
 *
 * <p>Start at {@link io.mcpbridge.testkit.proxy.FaultProxy}; {@link io.mcpbridge.testkit.proxy.Trouble} is what it can do.
 *
 * <p>May use the testkit and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.proxy;

import org.jspecify.annotations.NullMarked;

/**
 * What the configuration file and the environment say.
 *
 * <p>Start at {@link io.mcpbridge.config.BridgeConfiguration}, which reads the whole file and tells every mistake
 * in it. What belongs to a transport, a listener or another plug-in stays a {@link io.mcpbridge.spi.Settings} that
 * the plug-in reads.
 *
 * <p>Uses {@code failure}, {@code message}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.config;

import org.jspecify.annotations.NullMarked;

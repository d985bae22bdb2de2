/**
 * The configuration file and the environment variables as records.
 *
 * <p>Start at {@link io.mcpbridge.config.BridgeConfiguration}, which reads the whole file and reports every mistake
 * in it. The section of a transport, a listener or another plug-in is a {@link io.mcpbridge.spi.Settings} that the
 * plug-in reads.
 *
 * <p>Uses {@code call}, {@code failure}, {@code message}, {@code process}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.config;

import org.jspecify.annotations.NullMarked;

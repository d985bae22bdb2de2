/**
 * The configuration file and the environment variables as records.
 *
 * <p>Start at {@link io.mcpbridge.config.BridgeConfiguration}, which reads the whole file and reports every mistake
 * in it. The section of a transport, a listener or another plug-in is a {@link io.mcpbridge.spi.Settings} that the
 * plug-in reads.
 *
 * <p>Uses {@code core}, {@code process}, and the settings of the retry budget in {@code engine.pipeline}.
 */
@NullMarked
package io.mcpbridge.config;

import org.jspecify.annotations.NullMarked;

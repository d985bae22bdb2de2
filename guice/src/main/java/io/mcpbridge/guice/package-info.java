/**
 * Bindings of the bridge and its providers, for programs that use Guice.
 *
 * <p>Start at {@link io.mcpbridge.guice.BridgeModule}; {@link io.mcpbridge.guice.ConfigurationFileModule} reads the
 * configuration from a file.
 *
 * <p>Uses {@code engine}, Guice and the JDK.
 */
@NullMarked
package io.mcpbridge.guice;

import org.jspecify.annotations.NullMarked;

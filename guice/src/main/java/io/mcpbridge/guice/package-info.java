/**
 * Binds the bridge and the providers it finds, for programs that are wired with Guice.
 *
 * <p>Start at {@link io.mcpbridge.guice.BridgeModule}. {@link io.mcpbridge.guice.ConfigurationFileModule} stands beside
 * it where the configuration is a file.
 *
 * <p>May use {@code core}, Guice and the JDK.
 */
@NullMarked
package io.mcpbridge.guice;

import org.jspecify.annotations.NullMarked;

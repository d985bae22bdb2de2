/**
 * Binds the bridge and the providers it finds, for programs that are wired with Guice.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core}, Guice and the JDK.
 */
@NullMarked
package io.mcpbridge.guice;

import org.jspecify.annotations.NullMarked;

/**
 * Finds the implementations of extension points.
 *
 * <p>Start at {@link io.mcpbridge.discovery.Providers}. Uses {@code failure}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.discovery;

import org.jspecify.annotations.NullMarked;

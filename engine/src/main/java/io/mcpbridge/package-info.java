/**
 * The front door of the bridge for Java programs.
 *
 * <p>Start at {@link io.mcpbridge.Bridge} for many servers, or at {@link io.mcpbridge.Connection} for one. Both block their
 * caller and have a {@code callToolAsync} beside; inside the packages below nothing waits.
 *
 * <p>May use every package of {@code engine}, {@code support} and {@code core}.
 */
@NullMarked
package io.mcpbridge;

import org.jspecify.annotations.NullMarked;

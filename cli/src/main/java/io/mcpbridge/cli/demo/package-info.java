/**
 * The demonstration: a small server of its own, and a run through everything that the bridge does, which checks
 * itself.
 *
 * <p>Start at {@link io.mcpbridge.cli.demo.Demo}. Uses {@code core} and {@code gateway}.
 */
@NullMarked
package io.mcpbridge.cli.demo;

import org.jspecify.annotations.NullMarked;

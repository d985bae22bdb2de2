/**
 * The demo: small servers, and a self-checking run through the main functions of the bridge.
 *
 * <p>Start at {@link io.mcpbridge.cli.demo.Demo}. Uses {@code core} and {@code gateway}.
 */
@NullMarked
package io.mcpbridge.cli.demo;

import org.jspecify.annotations.NullMarked;

/**
 * The demo: small servers, and a self-checking run through the main functions of the bridge.
 *
 * <p>Start at {@link io.mcpbridge.cli.demo.Demo}. Uses {@code trail}, {@code gateway}, {@code engine}, {@code audit},
 * {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.cli.demo;

import org.jspecify.annotations.NullMarked;

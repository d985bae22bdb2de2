/**
 * Shows that the HTTP transport runs where a project manages Netty to another version.
 *
 * <p>Start at {@link io.mcpbridge.integration.netty.OlderNettyTest}, which resolves that version with the project in
 * {@code integration-tests/older-netty}.
 *
 * <p>May use the modules that serve and call tools.
 */
@NullMarked
package io.mcpbridge.integration.netty;

import org.jspecify.annotations.NullMarked;

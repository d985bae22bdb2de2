/**
 * The {@code mcp-bridge} command.
 *
 * <p>Start at {@link io.mcpbridge.cli.Main}, which lists the subcommands.
 *
 * <p>May use {@code gateway}, picocli and the JDK. Only this module prints.
 */
@NullMarked
package io.mcpbridge.cli;

import org.jspecify.annotations.NullMarked;

/**
 * The {@code mcp-bridge} command.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code gateway}, picocli and the JDK. Only this module prints.
 */
@NullMarked
package io.mcpbridge.cli;

import org.jspecify.annotations.NullMarked;

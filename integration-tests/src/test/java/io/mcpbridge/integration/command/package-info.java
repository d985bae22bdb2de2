/**
 * Shows that the jars of the command have all that the command needs.
 *
 * <p>Start at {@link io.mcpbridge.integration.command.CommandJarsTest}, which runs commands with them.
 *
 * <p>May use the JDK only: it handles the modules as files.
 */
@NullMarked
package io.mcpbridge.integration.command;

import org.jspecify.annotations.NullMarked;

/** A command that breaks a rule. */
@NullMarked
package io.mcpbridge.architecture.wrong.cli;

import org.jspecify.annotations.NullMarked;

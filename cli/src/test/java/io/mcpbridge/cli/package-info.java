/** Tests of the command. */
@NullMarked
package io.mcpbridge.cli;

import org.jspecify.annotations.NullMarked;

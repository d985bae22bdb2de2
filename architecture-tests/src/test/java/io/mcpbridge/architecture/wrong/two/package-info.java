/** The other half of a cycle. */
@NullMarked
package io.mcpbridge.architecture.wrong.two;

import org.jspecify.annotations.NullMarked;

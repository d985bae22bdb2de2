/** One half of a cycle. */
@NullMarked
package io.mcpbridge.architecture.wrong.one;

import org.jspecify.annotations.NullMarked;

/** Breaks promises on purpose, to show that the contracts notice. */
@NullMarked
package io.mcpbridge.testkit.broken;

import org.jspecify.annotations.NullMarked;

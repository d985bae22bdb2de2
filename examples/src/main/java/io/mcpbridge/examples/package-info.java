/**
 * Small programs that use the bridge. The documentation quotes them, and tests run them.
 *
 * <p>Start at {@link io.mcpbridge.examples.OneServer}. May use anything.
 */
@NullMarked
package io.mcpbridge.examples;

import org.jspecify.annotations.NullMarked;

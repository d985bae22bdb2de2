/**
 * The front door of the bridge.
 *
 * <p>Holds nothing yet: what is there stands in the packages below.
 *
 * <p>May use every package of {@code core} and the JDK; no package of {@code core} uses it.
 */
@NullMarked
package io.mcpbridge;

import org.jspecify.annotations.NullMarked;

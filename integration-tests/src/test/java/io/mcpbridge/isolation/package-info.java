/**
 * Servers whose calls of tools have a process each, as real children.
 *
 * <p>Start at {@code IsolationBench}. What needs no process is tested in {@code engine}.
 */
@NullMarked
package io.mcpbridge.isolation;

import org.jspecify.annotations.NullMarked;

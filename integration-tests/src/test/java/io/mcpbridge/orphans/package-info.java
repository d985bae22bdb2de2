/**
 * Processes that survive their parents: what is left at which level after each end of a child, of a worker or of the program
 * that has started them.
 *
 * <p>Start at {@link io.mcpbridge.orphans.SurvivalMatrix}. Needs Linux.
 */
@NullMarked
package io.mcpbridge.orphans;

import org.jspecify.annotations.NullMarked;

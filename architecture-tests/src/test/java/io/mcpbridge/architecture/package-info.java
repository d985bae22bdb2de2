/**
 * The rules of the architecture, as tests.
 *
 * <p>Start at {@link io.mcpbridge.architecture.ArchitectureTest}, which applies them to the classes of
 * all modules. {@code Modules} holds the table of arrows; a new arrow is a new entry there, and a
 * page in {@code docs/decisions}.
 *
 * <p>May use ArchUnit and the JDK, and no class that it judges.
 */
@NullMarked
package io.mcpbridge.architecture;

import org.jspecify.annotations.NullMarked;

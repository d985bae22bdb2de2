/**
 * Checks arguments and results of calls against the schemas of tools, if the configuration says so.
 *
 * <p>Start at {@link io.mcpbridge.catalog.check.SchemaCheckStageProvider}. Uses {@code schema} and {@code core}.
 */
@NullMarked
package io.mcpbridge.catalog.check;

import org.jspecify.annotations.NullMarked;

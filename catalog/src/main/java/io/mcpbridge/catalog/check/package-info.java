/**
 * Compares what tools are called with, and what they return, with their schemas, where the configuration wants it.
 *
 * <p>Start at {@link io.mcpbridge.catalog.check.SchemaCheckStageProvider}. Uses {@code schema} and {@code core}.
 */
@NullMarked
package io.mcpbridge.catalog.check;

import org.jspecify.annotations.NullMarked;

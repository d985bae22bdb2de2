/**
 * Checks values against JSON Schemas, with a budget.
 *
 * <p>Start at {@link io.mcpbridge.catalog.schema.JsonSchemaCheckProvider}. Uses {@code core} and a JSON-Schema library.
 */
@NullMarked
package io.mcpbridge.catalog.schema;

import org.jspecify.annotations.NullMarked;

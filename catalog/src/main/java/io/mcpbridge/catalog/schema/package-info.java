/**
 * Checks values against JSON Schemas of any kind.
 *
 * <p>Start at {@link io.mcpbridge.catalog.schema.JsonSchemaCheckProvider}. Uses {@code core} and a JSON-Schema library.
 */
@NullMarked
package io.mcpbridge.catalog.schema;

import org.jspecify.annotations.NullMarked;

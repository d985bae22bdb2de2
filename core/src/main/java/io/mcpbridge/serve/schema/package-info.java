/**
 * What the arguments of a served tool have to look like.
 *
 * <p>Start at {@link io.mcpbridge.serve.schema.MinimalSchemaCheckProvider}, which checks what most tools need and refuses
 * the rest, and {@link io.mcpbridge.serve.schema.RecordSchema}, which makes a schema from a Java record. Uses {@code
 * spi} and what lies below.
 */
@NullMarked
package io.mcpbridge.serve.schema;

import org.jspecify.annotations.NullMarked;

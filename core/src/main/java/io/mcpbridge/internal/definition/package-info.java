/**
 * The rules of the protocol for the definitions and names of tools, resources, resource templates and prompts.
 *
 * <p>Start at {@link io.mcpbridge.internal.definition.DefinitionRules} for tools and at {@link
 * io.mcpbridge.internal.definition.ItemRules} for the other kinds. Everything is pure.
 *
 * <p>Uses {@code message}, the hidden JSON reader and the JDK.
 */
@NullMarked
package io.mcpbridge.internal.definition;

import org.jspecify.annotations.NullMarked;

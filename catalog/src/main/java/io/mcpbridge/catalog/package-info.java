/**
 * The tools that are known, admitted and pinned.
 *
 * <p>Holds nothing yet but {@code schema}, which checks values against JSON Schemas.
 *
 * <p>May use {@code core}, a JSON Schema library and the JDK.
 */
@NullMarked
package io.mcpbridge.catalog;

import org.jspecify.annotations.NullMarked;

/**
 * The tools that are known, approved and checked: {@code lock} keeps the definitions that somebody has approved, {@code
 * schema} checks values against JSON Schemas, {@code check} those of calls and results.
 *
 * <p>May use {@code core}, a JSON Schema library, Jackson and the JDK.
 */
@NullMarked
package io.mcpbridge.catalog;

import org.jspecify.annotations.NullMarked;

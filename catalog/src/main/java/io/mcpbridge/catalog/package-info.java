/**
 * Tools that are approved and checked: {@code lock} keeps approved definitions, {@code schema} checks values against JSON
 * Schemas, {@code check} does so for arguments and results of calls.
 *
 * <p>May use {@code core}, a JSON Schema library, Jackson and the JDK.
 */
@NullMarked
package io.mcpbridge.catalog;

import org.jspecify.annotations.NullMarked;

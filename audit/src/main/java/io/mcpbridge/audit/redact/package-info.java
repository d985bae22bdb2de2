/**
 * Redacts secrets in the contents of a record before the record is made.
 *
 * <p>Start with {@link io.mcpbridge.audit.redact.Redaction}. A secret is found by a mark in the tool's schema, by its
 * name, by its value, if the configuration has it, or by one list of token patterns. A keyed hash replaces it: hashes
 * can be compared, but the secret cannot be read.
 *
 * <p>Uses {@code core}, {@code support}, Jackson's streaming parser and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.redact;

import org.jspecify.annotations.NullMarked;

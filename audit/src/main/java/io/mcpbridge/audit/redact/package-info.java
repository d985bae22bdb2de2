/**
 * Takes secrets out of what a record would show, before the record exists.
 *
 * <p>Start with {@link io.mcpbridge.audit.redact.Redaction}. A secret is found by what the tool's schema says of its place,
 * by the name of its key, by its shape, or since the configuration holds it; in its place stands a keyed hash, by which it
 * can be found but not read.
 *
 * <p>Uses {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.redact;

import org.jspecify.annotations.NullMarked;

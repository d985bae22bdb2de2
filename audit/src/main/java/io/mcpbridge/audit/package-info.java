/**
 * Audit sinks that keep a verifiable record of calls.
 *
 * <p>Start with {@code record}, which makes records, and {@code redact}, which takes secrets out of them. The sinks are
 * in {@code file}, {@code jdbc} and {@code otel}; {@code verify} checks a trail of files.
 *
 * <p>Uses {@code core}, Jackson's streaming parser and the JDK.
 */
@NullMarked
package io.mcpbridge.audit;

import org.jspecify.annotations.NullMarked;

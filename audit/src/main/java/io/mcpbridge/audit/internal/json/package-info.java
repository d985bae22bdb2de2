/**
 * The little JSON that audit records need: passing over tokens, plain values, and the canonical form of RFC 8785.
 *
 * <p>There is no library behind it, since none keeps what records must keep: where each token stands, and all of it in
 * bounded time and stack, whoever wrote it. Start with {@link io.mcpbridge.audit.internal.json.JsonCursor}.
 *
 * <p>Uses the JDK only.
 */
@NullMarked
package io.mcpbridge.audit.internal.json;

import org.jspecify.annotations.NullMarked;

/**
 * Clients of the legacy era, from {@code initialize} to their end.
 *
 * <p>Start at {@link io.mcpbridge.downstream.session.ClientSession}: it takes what belongs to the session itself,
 * such as log levels and answers to questions, and makes calls of the rest. Uses {@code downstream.calls}, {@code
 * registry} and {@code listening}.
 */
@NullMarked
package io.mcpbridge.downstream.session;

import org.jspecify.annotations.NullMarked;

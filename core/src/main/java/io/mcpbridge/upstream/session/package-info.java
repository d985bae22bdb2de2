/**
 * What the features of one session with a server share: who may use it, how it is used, and how the bridge itself
 * speaks over it.
 *
 * <p>Start at {@link io.mcpbridge.upstream.session.SessionLine}. Public for the packages beside it only.
 *
 * <p>Uses {@code era}, {@code spi} and what they use.
 */
@NullMarked
package io.mcpbridge.upstream.session;

import org.jspecify.annotations.NullMarked;

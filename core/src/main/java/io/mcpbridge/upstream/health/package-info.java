/**
 * How a server lives: signs of life in its sessions, how fast it answers, and how often its process may be started.
 *
 * <p>Start at {@link io.mcpbridge.upstream.health.Pulse}. Public for the packages beside it only.
 *
 * <p>Uses {@code upstream.session} and what that uses.
 */
@NullMarked
package io.mcpbridge.upstream.health;

import org.jspecify.annotations.NullMarked;

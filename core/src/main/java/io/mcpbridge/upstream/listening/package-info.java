/**
 * What a server tells unasked, and how it is kept telling: changes of its lists and resources, and log messages.
 *
 * <p>Start at {@link io.mcpbridge.upstream.listening.ResourceSubscriptions}, which knows who wants to hear of what. A
 * modern server is listened to by a {@link io.mcpbridge.upstream.listening.Listening} per session, a legacy one is
 * asked once per resource.
 *
 * <p>Uses {@code upstream.session}, {@code upstream.introduction} and what they use. Public for the packages beside it
 * only, save the subscriptions.
 */
@NullMarked
package io.mcpbridge.upstream.listening;

import org.jspecify.annotations.NullMarked;

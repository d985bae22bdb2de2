/**
 * Goes between a client and a server that do not speak the same era, where that takes more than dressing messages.
 *
 * <p>Start at {@link io.mcpbridge.translate.Translation}, which stands before the stages of each server. A server of
 * the modern era that needs input answers {@code input_required}: {@link io.mcpbridge.translate.Fulfilment} asks the
 * legacy client and calls again. A server of the legacy era sends requests: {@link
 * io.mcpbridge.translate.ParkedCalls} keeps its call while the modern client, which was answered {@code
 * input_required}, looks for the answers.
 *
 * <p>Uses {@code upstream} and what lies below it. Nothing here waits.
 */
@NullMarked
package io.mcpbridge.translate;

import org.jspecify.annotations.NullMarked;

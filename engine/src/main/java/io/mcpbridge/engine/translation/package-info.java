/**
 * Translates calls between clients and servers of different eras.
 *
 * <p>Modern servers and legacy clients: {@link io.mcpbridge.engine.translation.InputRequiredLoop}. Legacy servers and modern
 * clients: {@link io.mcpbridge.engine.translation.SuspendedCalls}.
 *
 * <p>Start at {@link io.mcpbridge.engine.translation.Translation}. {@link io.mcpbridge.engine.translation.Seal} encrypts
 * resume tokens and cursors.
 *
 * <p>Uses {@code config}, {@code engine.pipeline}, {@code engine.upstream} and {@code core}.
 */
@NullMarked
package io.mcpbridge.engine.translation;

import org.jspecify.annotations.NullMarked;

/**
 * What a call passes on its way to a server: resolution, one audit pair for each request of a client, deadlines, and the
 * attempts.
 *
 * <p>Start at {@link io.mcpbridge.engine.pipeline.Pipeline}, whose {@code Position} lists all stages in their order, and at
 * {@link io.mcpbridge.engine.pipeline.PipelineCall}, which is the call that passes them. {@link
 * io.mcpbridge.engine.pipeline.RetryStage} makes the attempts.
 *
 * <p>Uses {@code core} and no other package of the engine.
 */
@NullMarked
package io.mcpbridge.engine.pipeline;

import org.jspecify.annotations.NullMarked;

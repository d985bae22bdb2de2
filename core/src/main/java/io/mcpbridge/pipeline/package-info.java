/**
 * The call engine: the stages that a call passes, its deadlines, its attempts and its one outcome.
 *
 * <p>Start at {@link io.mcpbridge.pipeline.Pipeline}, which shows the order. Uses {@code call}, {@code spi} and
 * what they use.
 */
@NullMarked
package io.mcpbridge.pipeline;

import org.jspecify.annotations.NullMarked;

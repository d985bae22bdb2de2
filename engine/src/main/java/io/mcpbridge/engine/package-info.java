/**
 * The assembly of the engine: which plug-ins are found, which stages each server has, and how a route to a server is made.
 *
 * <p>Start at {@link io.mcpbridge.engine.RouteFactory}, which the library and the daemon share. The order of the stages is
 * {@link io.mcpbridge.engine.pipeline.Pipeline.Position}.
 *
 * <p>Uses the packages below it; only the front door and the daemon use it.
 */
@NullMarked
package io.mcpbridge.engine;

import org.jspecify.annotations.NullMarked;

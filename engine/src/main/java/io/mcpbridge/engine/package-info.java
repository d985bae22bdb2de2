/**
 * The assembly of the engine, and all of it that {@code server}, {@code gateway} and {@code cli} may use.
 *
 * <p>Start at {@link io.mcpbridge.engine.ClientSide}, which clients see, and {@link io.mcpbridge.engine.ServerRegistry}, the
 * servers behind it. {@link io.mcpbridge.engine.RouteFactory} makes the route to one server, for the table and for the
 * library, whose client sides are {@link io.mcpbridge.engine.Fronts}. The order of the stages is {@link
 * io.mcpbridge.engine.pipeline.Pipeline.Position}.
 *
 * <p>Uses the packages below it, which no other module may use.
 */
@NullMarked
package io.mcpbridge.engine;

import org.jspecify.annotations.NullMarked;

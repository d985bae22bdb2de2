/**
 * Serves the tools, resources and prompts of a program to clients of both eras over any listener.
 *
 * <p>Start at {@link io.mcpbridge.server.ToolServer}, which registers them, starts and stops. {@code ToolCallRunner} shows
 * the five stages of a call in one place: per-tool lock, schema validation, audit enter, dispatch, audit exit. Handlers
 * run on their own threads and may block; {@link io.mcpbridge.server.ToolCall} is their view of a call.
 *
 * <p>Uses {@code engine}, which serves the clients of both eras, and the packages below it.
 */
@NullMarked
package io.mcpbridge.server;

import org.jspecify.annotations.NullMarked;

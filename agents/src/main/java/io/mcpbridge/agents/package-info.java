/**
 * Tools of MCP servers for language models, and a loop that runs the calls of a model.
 *
 * <p>Start at {@link io.mcpbridge.agents.AgentRunner}. {@link io.mcpbridge.agents.AgentTools} are the tools of chosen
 * servers; programs with a loop of their own use its two methods. {@link io.mcpbridge.agents.ModelProvider} is the API of a
 * model and the way to it.
 *
 * <p>Uses {@code engine}, the packages below it, and the JDK's HTTP client.
 */
@NullMarked
package io.mcpbridge.agents;

import org.jspecify.annotations.NullMarked;

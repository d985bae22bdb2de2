/**
 * Workflows: steps that call tools of servers, in an order that follows from what they use of each other.
 *
 * <p>Start at {@link io.mcpbridge.workflow.WorkflowEngine}. {@link io.mcpbridge.workflow.Workflow} reads and checks a
 * file. {@code WorkflowRun} decides which step runs when, {@code StepRunner} runs one.
 *
 * <p>Uses {@code engine} for calls, {@code server} to serve a workflow as a tool, and a library for YAML.
 */
@NullMarked
package io.mcpbridge.workflow;

import org.jspecify.annotations.NullMarked;

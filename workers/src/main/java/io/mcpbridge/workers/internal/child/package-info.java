/**
 * The program that runs in a worker process.
 *
 * <p>Start at {@link io.mcpbridge.workers.internal.child.WorkerMain}: it reads requests, {@code CallThread} runs
 * them, and {@code CallLeakDetector} finds what a call left behind.
 *
 * <p>Uses {@code workers} and its internal packages, {@code ToolHandler} of the module {@code server}, and the JDK: a worker
 * should load few classes.
 */
@NullMarked
package io.mcpbridge.workers.internal.child;

import org.jspecify.annotations.NullMarked;

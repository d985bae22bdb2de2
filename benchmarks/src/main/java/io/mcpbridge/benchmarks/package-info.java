/**
 * Measures the bridge beside the machine's limit, other gateways and the official SDK's client.
 *
 * <p>Start at {@link io.mcpbridge.benchmarks.Benchmark}; {@code benchmarks/run.sh} builds and runs it.
 */
@NullMarked
package io.mcpbridge.benchmarks;

import org.jspecify.annotations.NullMarked;

/**
 * Measures round trips: the machine's limit, the bridge's client, the daemon and the official SDK's client.
 *
 * <p>Start at {@link io.mcpbridge.benchmarks.RoundTrips}, {@link io.mcpbridge.benchmarks.OneOfTen} or {@link
 * io.mcpbridge.benchmarks.StageOrder}; {@code benchmarks/run.sh} builds and runs them.
 */
@NullMarked
package io.mcpbridge.benchmarks;

import org.jspecify.annotations.NullMarked;

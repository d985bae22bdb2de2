/**
 * Tells OpenTelemetry about calls: spans, metrics, and the context that goes with them.
 *
 * <p>Start at {@link io.mcpbridge.telemetry.OpenTelemetryObserver}. Names are those of the semantic conventions for MCP,
 * and {@code mcpbridge.*} where these have none.
 *
 * <p>Uses {@code core}, the OpenTelemetry API and the JDK.
 */
@NullMarked
package io.mcpbridge.telemetry;

import org.jspecify.annotations.NullMarked;

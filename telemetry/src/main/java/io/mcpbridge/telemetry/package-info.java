/**
 * Spans, metrics and context propagation for OpenTelemetry.
 *
 * <p>Start at {@link io.mcpbridge.telemetry.OpenTelemetryObserver}. Names are those of the semantic conventions for
 * MCP, or {@code mcpbridge.*} if these have none.
 *
 * <p>Uses {@code core}, the OpenTelemetry API and the JDK.
 */
@NullMarked
package io.mcpbridge.telemetry;

import org.jspecify.annotations.NullMarked;

/**
 * The sink {@code otel}: a mirror of the trail as log events of OpenTelemetry, kept by nobody for certain.
 *
 * <p>{@link io.mcpbridge.audit.otel.OtelAuditSink} is the front. {@code LogEvents} says what an event looks like.
 *
 * <p>Uses {@code record}, {@code internal}, {@code core} and the API of OpenTelemetry, which is brought by whoever uses
 * this sink.
 */
@NullMarked
package io.mcpbridge.audit.otel;

import org.jspecify.annotations.NullMarked;

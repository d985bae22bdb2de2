/**
 * The sink {@code otel}: records as log events of OpenTelemetry, on a best effort.
 *
 * <p>Start with {@code OtelAuditSinks}. {@link io.mcpbridge.audit.otel.MirrorSetting} adds this sink to another one,
 * which decides what is durable.
 *
 * <p>Uses {@code record}, {@code internal}, {@code core} and the API of OpenTelemetry, which is on the class path of the
 * user.
 */
@NullMarked
package io.mcpbridge.audit.otel;

import org.jspecify.annotations.NullMarked;

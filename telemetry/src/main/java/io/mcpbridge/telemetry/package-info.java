/**
 * Tells OpenTelemetry about calls.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core}, the OpenTelemetry API and the JDK.
 */
@NullMarked
package io.mcpbridge.telemetry;

import org.jspecify.annotations.NullMarked;

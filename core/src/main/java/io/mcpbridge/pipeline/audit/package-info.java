/**
 * The audit of the calls that are forwarded: one pair of records for each request of a client.
 *
 * <p>Start at {@link io.mcpbridge.pipeline.audit.AuditStage}; {@code RecordedCall} is one call on its way through it. Uses
 * {@code call}, {@code message}, {@code failure}, {@code tool}, {@code spi} and the JDK.
 */
@NullMarked
package io.mcpbridge.pipeline.audit;

import org.jspecify.annotations.NullMarked;

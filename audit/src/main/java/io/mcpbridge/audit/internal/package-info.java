/**
 * The queue and the writer thread of all sinks. {@link io.mcpbridge.audit.internal.RecordQueue} receives events from
 * callers, who never wait; {@link io.mcpbridge.audit.internal.QueuedAuditSink} writes their records into a {@link
 * io.mcpbridge.audit.internal.TrailStore}. {@link io.mcpbridge.audit.internal.UncoveredRecords} has the bounds that the
 * sink {@code file} and its verifier share.
 *
 * <p>Uses {@code core}, {@code record} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.internal;

import org.jspecify.annotations.NullMarked;

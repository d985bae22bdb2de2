/**
 * The audit sink {@code file}: a trail of hash-chained records in a folder, with signed checkpoints.
 *
 * <p>Start with {@link io.mcpbridge.audit.file.FileAuditSinkProvider}. {@code FileTrailStore} is the store of its
 * sinks: {@code SegmentWriter} writes the chain, {@code CheckpointWriter} signs it. {@code TrailRecovery} opens the
 * trail at a start and repairs its end.
 *
 * <p>Uses {@code verify}, {@code record}, {@code internal}, {@code otel} for its mirror setting, {@code core}, {@code
 * support} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.file;

import org.jspecify.annotations.NullMarked;

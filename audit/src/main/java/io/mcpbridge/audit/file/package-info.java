/**
 * The audit sink {@code file}: a trail of hash-chained records in a folder, with signed checkpoints.
 *
 * <p>Start with {@link io.mcpbridge.audit.file.FileAuditSink}, which takes records from any thread. One
 * {@code TrailWriter} takes them from its queue in groups and hands them to the {@code Trail}, which knows the segments
 * and the chain. {@code Recovery} finds out at the start how the last writer left them.
 *
 * <p>May use {@code verify}, {@code record}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.file;

import org.jspecify.annotations.NullMarked;

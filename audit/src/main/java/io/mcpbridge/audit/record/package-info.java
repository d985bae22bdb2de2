/**
 * What an audit record looks like: made of an event, put into the chain, and read again.
 *
 * <p>Start with {@link io.mcpbridge.audit.record.AuditRecords}, which makes a {@link io.mcpbridge.audit.record.RecordBody}
 * of each event. {@link io.mcpbridge.audit.record.AuditChain} gives it its sequence and its hash, which makes it a line,
 * and {@link io.mcpbridge.audit.record.AuditLine} reads one. Sinks and readers of all kinds share these.
 *
 * <p>A line is one CloudEvent in the canonical form of RFC 8785. Its last member, {@code zhash}, is
 * {@code SHA-256(hash of the line before ‖ the line without zhash)}; what stands before the first line counts as 32 zero
 * bytes.
 *
 * <p>Uses {@code core}, {@code redact} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.record;

import org.jspecify.annotations.NullMarked;

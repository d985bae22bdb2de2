/**
 * Makes audit records of events, chains them by hashes, and parses them.
 *
 * <p>Start with {@link io.mcpbridge.audit.record.AuditRecords}, which makes a {@link
 * io.mcpbridge.audit.record.RecordBody} of an event. {@link io.mcpbridge.audit.record.AuditChain} adds sequence and
 * hash and so makes a line; {@link io.mcpbridge.audit.record.ParsedRecord} parses a line. All sinks and readers share
 * these types.
 *
 * <p>A line is one CloudEvent in the canonical form of RFC 8785. Its last member, {@code zhash}, is
 * {@code SHA-256(hash of the line before ‖ the line without zhash)}; the hash before the first line is 32 zero bytes.
 *
 * <p>CONTRIBUTING.md has the steps to add a member to records.
 *
 * <p>Uses {@code core}, {@code redact} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.record;

import org.jspecify.annotations.NullMarked;

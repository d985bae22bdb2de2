/**
 * Reads and verifies the trails of the sink {@code file}.
 *
 * <p>Start with {@link io.mcpbridge.audit.verify.AuditVerifier}, which finds records that were changed or removed, and
 * {@link io.mcpbridge.audit.verify.AuditReader}, which reads records in order, also while they are written.
 *
 * <p>Uses {@code record}, {@code internal}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.verify;

import org.jspecify.annotations.NullMarked;

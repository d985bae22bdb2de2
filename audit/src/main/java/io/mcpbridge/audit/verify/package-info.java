/**
 * Reads and checks the trail that the file sink writes.
 *
 * <p>Start with {@link io.mcpbridge.audit.verify.AuditVerifier}, which tells whether records were changed or taken
 * away, and {@link io.mcpbridge.audit.verify.AuditReader}, which reads them in their order, also while they are written.
 *
 * <p>May use {@code record}, {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.verify;

import org.jspecify.annotations.NullMarked;

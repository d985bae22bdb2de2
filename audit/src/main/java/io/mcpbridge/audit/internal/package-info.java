/**
 * What the sinks that write to somebody else share: records wait in {@link io.mcpbridge.audit.internal.Backlog}, whose
 * writer takes them in groups. {@link io.mcpbridge.audit.internal.Uncovered} is what the sink {@code file} and its verifier share.
 *
 * <p>May use {@code core} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.internal;

import org.jspecify.annotations.NullMarked;

/**
 * What the sinks that write to somebody else share: records wait in {@link io.mcpbridge.audit.internal.Backlog}, whose
 * writer takes them in groups. {@link io.mcpbridge.audit.internal.UsedKey} and
 * {@link io.mcpbridge.audit.internal.OddTrail} are for those that go on with a trail, be it their own or somebody else's.
 * {@link io.mcpbridge.audit.internal.Uncovered} is what the sink {@code file} and its verifier share.
 *
 * <p>May use {@code core}, {@code record} and the JDK.
 */
@NullMarked
package io.mcpbridge.audit.internal;

import org.jspecify.annotations.NullMarked;

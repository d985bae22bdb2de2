/**
 * The public conformance suite of the protocol, run against servers of others, the daemon and the library.
 *
 * <p>Start at {@link io.mcpbridge.conformance.ConformanceSuite}, which runs a set and tells which scenarios passed, and
 * at the two servers that offer what the suite asks for: {@link io.mcpbridge.conformance.LegacyFixture} and {@link
 * io.mcpbridge.conformance.ModernFixture}. The suite and the Node that runs it are pinned in {@code
 * integration-tests/conformance} and installed by the build where there is npm; tests that need them are marked {@link
 * io.mcpbridge.conformance.RequiresSuite}.
 *
 * <p>May use everything: all of it is test code.
 */
@NullMarked
package io.mcpbridge.conformance;

import org.jspecify.annotations.NullMarked;

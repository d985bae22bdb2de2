/**
 * Test support for plug-ins: fakes, scripted peers and a check for leaked threads, processes and files.
 *
 * <p>Start at {@link io.mcpbridge.testkit.contract} for the contract tests of each extension point. A
 * {@link io.mcpbridge.testkit.Script} defines the behaviour of a peer; {@link io.mcpbridge.testkit.InMemoryTransport}
 * and {@link io.mcpbridge.testkit.StreamPeer} run one behind a transport. {@link io.mcpbridge.testkit.FakeTimekeeper}
 * controls time; the {@code Recording…} fakes record what they received.
 *
 * <p>May use {@code core}, JUnit, AssertJ and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * What tests of a plug-in need: fakes, scripted peers and a look at what is left behind.
 *
 * <p>Start at {@link io.mcpbridge.testkit.contract} for the promises that each implementation keeps. {@link
 * io.mcpbridge.testkit.Script} is what a peer does; {@link io.mcpbridge.testkit.InMemoryTransport} and
 * {@link io.mcpbridge.testkit.StreamPeer} put one behind a wire. {@link
 * io.mcpbridge.testkit.FakeTimekeeper} moves time; the {@code Recording…} fakes keep what they received.
 *
 * <p>May use {@code core}, JUnit, AssertJ and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit;

import org.jspecify.annotations.NullMarked;

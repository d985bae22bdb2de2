/**
 * Contract tests for the implementations of each extension point, as classes to extend.
 *
 * <p>Start at {@link io.mcpbridge.testkit.contract.TransportContract}. The test of a plug-in extends the contract and
 * supplies the implementation, so a violation is reported under the plug-in's own class.
 *
 * <p>May use {@code testkit}, {@code core}, JUnit, AssertJ and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.contract;

import org.jspecify.annotations.NullMarked;

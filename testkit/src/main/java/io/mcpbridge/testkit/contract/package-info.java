/**
 * What every implementation of an extension point promises, as test classes to extend.
 *
 * <p>Start at {@link io.mcpbridge.testkit.contract.TransportContract}. A plug-in's test extends the contract and
 * supplies its implementation; so a broken promise is reported under the plug-in's own class.
 *
 * <p>May use {@code testkit}, {@code core}, JUnit, AssertJ and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit.contract;

import org.jspecify.annotations.NullMarked;

/**
 * What tests of a plug-in need: contract suites of the extension points, fakes, and peers that
 * misbehave.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core}, JUnit, AssertJ and the JDK.
 */
@NullMarked
package io.mcpbridge.testkit;

import org.jspecify.annotations.NullMarked;

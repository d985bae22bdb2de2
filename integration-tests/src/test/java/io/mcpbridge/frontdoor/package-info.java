/**
 * Tests of {@code Bridge} and {@code Connection} with the plug-ins that a program has: transports and retry policies.
 *
 * <p>Start at {@link io.mcpbridge.frontdoor.FrontDoorBench}, the fixture of the contract tests.
 */
@NullMarked
package io.mcpbridge.frontdoor;

import org.jspecify.annotations.NullMarked;

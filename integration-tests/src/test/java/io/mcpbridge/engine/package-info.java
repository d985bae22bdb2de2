/**
 * Tests of the heart of core: the engine between clients and servers, with the testkit's fakes on both sides.
 *
 * <p>Start at {@link io.mcpbridge.engine.OneServer}, the bench that most of them stand on. They are here because core
 * cannot depend on the testkit.
 */
@NullMarked
package io.mcpbridge.engine;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of served tools: each row of what is required of them has a test that is named for it.
 *
 * <p>Start at {@link io.mcpbridge.serve.ServeBench}. They are here because core cannot depend on the testkit.
 */
@NullMarked
package io.mcpbridge.serve;

import org.jspecify.annotations.NullMarked;

/**
 * Tests of served tools: each row of what is required of them has a test that is named for it.
 *
 * <p>Start at {@link io.mcpbridge.server.ServeBench}.
 */
@NullMarked
package io.mcpbridge.server;

import org.jspecify.annotations.NullMarked;

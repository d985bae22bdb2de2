/**
 * Tests of what goes between the eras, with handlers in the place of servers and clients.
 *
 * <p>Start at {@link io.mcpbridge.engine.translation.TranslationBench}.
 */
@NullMarked
package io.mcpbridge.engine.translation;

import org.jspecify.annotations.NullMarked;

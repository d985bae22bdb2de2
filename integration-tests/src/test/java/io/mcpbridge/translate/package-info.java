/**
 * Tests of what goes between the eras, with handlers in the place of servers and clients.
 *
 * <p>Start at {@link io.mcpbridge.translate.TranslationBench}. They are here because core cannot depend on the testkit.
 */
@NullMarked
package io.mcpbridge.translate;

import org.jspecify.annotations.NullMarked;

/** Holds what core brings to the contracts that plug-ins keep. */
@NullMarked
package io.mcpbridge.testkit.standard;

import org.jspecify.annotations.NullMarked;

/** Tests of the tools of models and of the loop that runs their calls. */
@NullMarked
package io.mcpbridge.agents;

import org.jspecify.annotations.NullMarked;

/** Tests of workflows. */
@NullMarked
package io.mcpbridge.workflow;

import org.jspecify.annotations.NullMarked;

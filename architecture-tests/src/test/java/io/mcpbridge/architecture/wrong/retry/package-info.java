/** A plug-in that breaks rules. */
@NullMarked
package io.mcpbridge.architecture.wrong.retry;

import org.jspecify.annotations.NullMarked;

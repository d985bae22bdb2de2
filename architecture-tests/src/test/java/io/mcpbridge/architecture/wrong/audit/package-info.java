/** A plug-in that others use wrongly. */
@NullMarked
package io.mcpbridge.architecture.wrong.audit;

import org.jspecify.annotations.NullMarked;

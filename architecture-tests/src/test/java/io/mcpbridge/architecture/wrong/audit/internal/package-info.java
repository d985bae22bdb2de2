/** What only the plug-in may use. */
@NullMarked
package io.mcpbridge.architecture.wrong.audit.internal;

import org.jspecify.annotations.NullMarked;

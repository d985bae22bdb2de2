/** Keeps the documentation true. */
@NullMarked
package io.mcpbridge.docs;

import org.jspecify.annotations.NullMarked;

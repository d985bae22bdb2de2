/** Tests of the clients' side that need more than its public face. */
@NullMarked
package io.mcpbridge.engine.session;

import org.jspecify.annotations.NullMarked;

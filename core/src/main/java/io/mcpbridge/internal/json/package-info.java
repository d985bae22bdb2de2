/**
 * The one place in core that knows the JSON library.
 *
 * <p>Everything here is off the forwarding path: reading configuration, listings and handshakes, and making
 * small documents. Start at {@link io.mcpbridge.internal.json.Json}.
 */
@NullMarked
package io.mcpbridge.internal.json;

import org.jspecify.annotations.NullMarked;

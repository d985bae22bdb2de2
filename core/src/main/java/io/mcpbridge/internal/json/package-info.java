/**
 * Reads and writes JSON; the only package of core that uses the JSON library.
 *
 * <p>Everything here is off the forwarding path: reading configuration, listings and handshakes, and making small
 * documents. Start at {@link io.mcpbridge.internal.json.JsonCodec}; {@link io.mcpbridge.internal.json.RecordReader} makes
 * records of what it reads.
 */
@NullMarked
package io.mcpbridge.internal.json;

import org.jspecify.annotations.NullMarked;

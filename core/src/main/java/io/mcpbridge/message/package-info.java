/**
 * JSON-RPC messages as the bytes that came in, with an index of the parts the bridge looks at.
 *
 * <p>Start reading at {@link Message}: its {@link Message#scan scan} reads a frame once, checks it and
 * notes where each {@link MessageField} lies; no tree is ever made. {@link Splice} writes a changed copy in
 * which everything that was not named stays byte for byte. {@link FrameReader} cuts a byte stream
 * into frames.
 *
 * <p>Uses {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.message;

import org.jspecify.annotations.NullMarked;

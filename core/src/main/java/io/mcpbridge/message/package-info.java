/**
 * JSON-RPC messages as their original bytes, with an index of the fields that the bridge uses.
 *
 * <p>Start reading at {@link Message}: {@link Message#scan scan} checks a frame in one pass and records the position of
 * each {@link MessageField}, without building a tree. {@link Splice} creates a changed copy and copies everything else
 * byte for byte. {@link FrameSplitter} splits a byte stream into frames.
 *
 * <p>Uses {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.message;

import org.jspecify.annotations.NullMarked;

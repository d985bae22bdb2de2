/**
 * Translates requests and responses between the protocol eras of clients and servers.
 *
 * <p>Start at {@link io.mcpbridge.era.Dialect}, which writes requests, and {@link io.mcpbridge.era.ResponseTranslator}, which
 * writes responses. {@link io.mcpbridge.message.MirroredHeaders} has the headers that HTTP adds. Nothing here holds
 * state or waits. Uses {@code call}, {@code failure}, {@code message}, {@code internal.json} and the JDK.
 */
@NullMarked
package io.mcpbridge.era;

import org.jspecify.annotations.NullMarked;

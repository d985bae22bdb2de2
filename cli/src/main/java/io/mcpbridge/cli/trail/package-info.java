/**
 * Reads the audit trail that the sink {@code file} keeps, for people and for programs.
 *
 * <p>Start at {@link io.mcpbridge.cli.trail.TrailViewer}. Records come as a stream, from the segment where they may
 * begin; what is kept in memory is bounded however large the trail is. The daemon may write to it meanwhile.
 *
 * <p>May use {@code core} and {@code audit}. Nothing here prints. Its classes are for one thread.
 */
@NullMarked
package io.mcpbridge.cli.trail;

import org.jspecify.annotations.NullMarked;

/**
 * Shows and verifies the audit trail of the sink {@code file}, for people and for programs.
 *
 * <p>Start at {@link io.mcpbridge.cli.trail.TrailViewer}. It reads records as a stream, from the first segment that may
 * contain them, with bounded memory. The daemon may write to the trail meanwhile.
 *
 * <p>May use {@code core} and {@code audit}. Nothing here prints. Its classes are for one thread.
 */
@NullMarked
package io.mcpbridge.cli.trail;

import org.jspecify.annotations.NullMarked;

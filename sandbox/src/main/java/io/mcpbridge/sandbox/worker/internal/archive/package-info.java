/**
 * Archives of the classes that a worker loads at its start, so that the next ones start in half the time.
 *
 * <p>Start at {@link io.mcpbridge.sandbox.worker.internal.archive.ArchiveFolder}. Virtual machines write and read them;
 * this only keeps them: by what they were made of, with a digest, in a folder that is ours alone.
 *
 * <p>Uses {@code files} and {@code failure} of the core, and the JDK.
 */
@NullMarked
package io.mcpbridge.sandbox.worker.internal.archive;

import org.jspecify.annotations.NullMarked;

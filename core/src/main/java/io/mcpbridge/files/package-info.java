/**
 * Folders and files that are ours alone: made so, checked, and claimed by one process.
 *
 * <p>Start with {@link io.mcpbridge.files.PrivateFolder}. What is here waits for the file system, so it is for the start and
 * the end, never for the way of a call. Only POSIX file systems tell what has to be known.
 *
 * <p>Uses {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.files;

import org.jspecify.annotations.NullMarked;

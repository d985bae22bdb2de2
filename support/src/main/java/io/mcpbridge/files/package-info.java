/**
 * Private folders and files: created for our user alone, checked for safety, and claimed by one process.
 *
 * <p>Start with {@link io.mcpbridge.files.PrivateFolder}. Everything here waits for the file system: use it at start
 * and stop, not on the path of a call. It needs a POSIX file system.
 *
 * <p>Uses {@code failure} and the JDK.
 */
@NullMarked
package io.mcpbridge.files;

import org.jspecify.annotations.NullMarked;

/**
 * Private folders and files: created for the bridge's user only, checked for safety, and locked by one process; and Unix
 * sockets.
 *
 * <p>Start with {@link io.mcpbridge.files.PrivateFolder}. All methods wait for the file system: use them at start and
 * stop, not in the call path. They need a POSIX file system.
 *
 * <p>Uses {@code failure}, {@code call} and the JDK.
 */
@NullMarked
package io.mcpbridge.files;

import org.jspecify.annotations.NullMarked;

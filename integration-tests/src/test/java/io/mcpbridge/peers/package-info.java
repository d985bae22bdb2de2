/**
 * The daemon and the library beside the servers and clients of others: the official Java SDK, the official
 * TypeScript SDKs of both generations, and {@code server-everything}.
 *
 * <p>Start at {@link io.mcpbridge.peers.EverythingServerTest}; {@link io.mcpbridge.peers.MatrixContract} has clients of
 * each era use servers of each era over every way. Those of npm are pinned in {@code
 * integration-tests/peers} and installed by the build where there is npm; tests that need them are marked {@link
 * io.mcpbridge.peers.RequiresPeers}.
 *
 * <p>May use everything: all of it is test code.
 */
@NullMarked
package io.mcpbridge.peers;

import org.jspecify.annotations.NullMarked;

/**
 * One server as the bridge sees it: its connections, its health, and the calls that wait for it.
 *
 * <p>Start at {@link io.mcpbridge.engine.upstream.Upstream}. A call goes through {@link
 * io.mcpbridge.engine.upstream.affinity.ClientAffinity}, which chooses the session, to the {@code ConnectionPool} and the
 * {@code PooledConnection}, which connects if need be, and from there over a {@link
 * io.mcpbridge.engine.upstream.connection.ServerConnection}. The upstream itself reacts to what connections report.
 *
 * <p>Uses the packages below it, {@code config}, {@code pipeline} and {@code core}.
 */
@NullMarked
package io.mcpbridge.engine.upstream;

import org.jspecify.annotations.NullMarked;

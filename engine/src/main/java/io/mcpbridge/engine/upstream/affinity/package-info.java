/**
 * Which client uses which session of a server, where messages of the server do not identify their client.
 *
 * <p>Start at {@link io.mcpbridge.engine.upstream.affinity.ClientAffinity}, through which each call goes. The leases of the
 * clients are in the {@code LeaseTable}. What the package needs of the sessions is
 * {@link io.mcpbridge.engine.upstream.affinity.ClientAffinity.Sessions}.
 *
 * <p>Uses {@code config}, {@code call}, {@code message} and {@code spi}.
 */
@NullMarked
package io.mcpbridge.engine.upstream.affinity;

import org.jspecify.annotations.NullMarked;

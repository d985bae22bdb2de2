/**
 * The daemon: reads its configuration, opens its listeners and passes calls on.
 *
 * <p>Start at {@link io.mcpbridge.gateway.Daemon}, which puts all parts together in one place. {@link
 * io.mcpbridge.gateway.AdminClient} is the other end of its administrative socket.
 *
 * <p>May use {@code core} and the JDK. Plug-ins are found at run time and never named here.
 */
@NullMarked
package io.mcpbridge.gateway;

import org.jspecify.annotations.NullMarked;

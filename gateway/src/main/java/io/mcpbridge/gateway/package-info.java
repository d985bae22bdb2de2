/**
 * The daemon: reads its configuration, opens its listeners and passes calls on.
 *
 * <p>Holds nothing yet.
 *
 * <p>May use {@code core} and the JDK. Plug-ins are found at run time and never named here.
 */
@NullMarked
package io.mcpbridge.gateway;

import org.jspecify.annotations.NullMarked;

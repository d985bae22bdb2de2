/**
 * Failures of calls, connections and configuration, as values and as exceptions.
 *
 * <p>Start at {@link Failure}: inside the bridge, a failure is a value that passes back through the stages. The front
 * door turns it into a subtype of the sealed {@link BridgeException}.
 *
 * <p>Uses the JDK only.
 */
@NullMarked
package io.mcpbridge.failure;

import org.jspecify.annotations.NullMarked;

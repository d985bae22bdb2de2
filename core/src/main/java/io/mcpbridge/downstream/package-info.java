/**
 * The clients in front of the bridge: who comes in, and where what they send goes.
 *
 * <p>Start at {@link io.mcpbridge.downstream.Clients}, which every listener hands its peers to. Each connection and
 * each HTTP listener has an intake, which tells the eras apart: what names its revision goes to {@code modern},
 * everything else to a {@code session}.
 *
 * <p>Uses the packages below this one, {@code call}, {@code pipeline}, {@code spi} and what they use; knows nothing of
 * servers.
 */
@NullMarked
package io.mcpbridge.downstream;

import org.jspecify.annotations.NullMarked;

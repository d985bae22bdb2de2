/** Traces that go through several processes and transports. Start at {@link io.mcpbridge.traces.TracesAcrossTest}. */
@NullMarked
package io.mcpbridge.traces;

import org.jspecify.annotations.NullMarked;

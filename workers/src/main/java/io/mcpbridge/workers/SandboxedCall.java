package io.mcpbridge.workers;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of a {@link SandboxedTool}. Any thread may use it. */
public interface SandboxedCall {

    /** The tool's name. */
    String tool();

    /** The validated arguments: maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans, nulls. */
    Map<String, @Nullable Object> arguments();

    /** The id of the call in logs and audit records. */
    String correlationId();

    /** The remaining time, after which the pool kills the worker. */
    Duration remaining();
}

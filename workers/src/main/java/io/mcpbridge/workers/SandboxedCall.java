package io.mcpbridge.workers;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call as a {@link SandboxedTool} sees it. Any thread may use it. */
public interface SandboxedCall {

    /** The tool's name. */
    String tool();

    /** The arguments, which fit the schema: maps, lists, strings, {@code Long}, {@code BigDecimal}, booleans, nulls. */
    Map<String, @Nullable Object> arguments();

    /** Follows the call through logs and audit. */
    String correlationId();

    /** How much time is left; after it the pool kills the worker. */
    Duration remaining();
}

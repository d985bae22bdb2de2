package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;

/** Watches calls without taking part, for telemetry. Never waits; any thread. */
public interface CallObserver {

    /** A call begins. */
    default void begun(Call call) {}

    /** An attempt is handed to {@code server}; counts from 1. */
    default void attempted(Call call, String server, int attempt) {}

    /** The call has its outcome. */
    default void ended(Call call, Outcome outcome) {}
}

package io.mcpbridge.event;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** An event of a server or a tool. Each has the correlation id of its cause. */
public sealed interface BridgeEvent
        permits BridgeEvent.ToolsDiscovered,
                BridgeEvent.ToolCompleted,
                BridgeEvent.ToolFailed,
                BridgeEvent.ToolsRefreshed,
                BridgeEvent.Disconnected,
                BridgeEvent.Reconnected,
                BridgeEvent.ReconnectExhausted,
                BridgeEvent.BreakerOpened,
                BridgeEvent.BreakerClosed,
                BridgeEvent.ToolQuarantined {

    /** The stable name of the kind of event, made of the name of its type: {@code provider.mcp.tool.failed}. */
    default String topic() {
        var words = getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", ".");
        return "provider.mcp." + words.toLowerCase(Locale.ROOT);
    }

    /** The configured name of the server. */
    String server();

    /**
     * The id of the call that caused it; if none did, an id of the bridge, which is the same from the loss of a
     * connection until its end.
     */
    String correlationId();

    /** A server was connected and its tools were listed. */
    record ToolsDiscovered(String server, String correlationId, int count, List<String> names) implements BridgeEvent {
        public ToolsDiscovered {
            names = List.copyOf(names);
        }
    }

    /**
     * A tool returned.
     *
     * @param summary the beginning of the result, cut to {@value #SUMMARY_LIMIT} characters
     */
    record ToolCompleted(String server, String correlationId, String tool, String summary, Duration duration)
            implements BridgeEvent {
        /** The maximum number of characters of a result in an event. */
        public static final int SUMMARY_LIMIT = 200;

        public ToolCompleted {
            summary = summary.length() <= SUMMARY_LIMIT ? summary : summary.substring(0, SUMMARY_LIMIT) + "…";
        }
    }

    /** A tool call ended without a result. */
    record ToolFailed(String server, String correlationId, String tool, String code, boolean retryable, String message)
            implements BridgeEvent {}

    /** A server's tools were listed again. */
    record ToolsRefreshed(String server, String correlationId, List<String> added, List<String> removed, int unchanged)
            implements BridgeEvent {
        public ToolsRefreshed {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
        }
    }

    /** The connection to a server ended. */
    record Disconnected(String server, String correlationId, String reason) implements BridgeEvent {}

    /** The connection to a server was established again, and its tools are listed if they were before. */
    record Reconnected(String server, String correlationId, int tries) implements BridgeEvent {}

    /** The bridge stopped trying to reconnect. */
    record ReconnectExhausted(String server, String correlationId, int tries, String reason) implements BridgeEvent {}

    /**
     * The circuit breaker of a server opened: the bridge rejects calls to the server for some time.
     *
     * @param span the minimum time for which it stays open
     * @param reason how the last of its calls failed
     */
    record BreakerOpened(String server, String correlationId, Duration span, String reason) implements BridgeEvent {}

    /** The circuit breaker of a server closed: all calls to the server pass. */
    record BreakerClosed(String server, String correlationId) implements BridgeEvent {}

    /**
     * A server lists a tool whose definition is not approved; clients can neither see nor call it.
     *
     * @param reason the reason, as text for people
     */
    record ToolQuarantined(String server, String correlationId, String tool, String reason) implements BridgeEvent {}
}

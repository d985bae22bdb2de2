package io.mcpbridge.telemetry;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;

/**
 * The metrics of calls and sessions. Their attributes have few values, so none identifies a single call.
 *
 * @param clientOperations durations of requests to servers
 * @param serverOperations durations of requests of clients
 * @param clientSessions durations of sessions with servers
 * @param serverSessions durations of sessions of clients
 * @param queues how long attempts waited until they were sent
 * @param attempts the number of attempts
 */
record Instruments(
        DoubleHistogram clientOperations,
        DoubleHistogram serverOperations,
        DoubleHistogram clientSessions,
        DoubleHistogram serverSessions,
        DoubleHistogram queues,
        LongCounter attempts) {

    static Instruments of(Meter meter) {
        return new Instruments(
                duration(
                        meter,
                        "mcp.client.operation.duration",
                        "The duration of the MCP request or notification as observed on the sender from the time it was sent"
                                + " until the response or ack is received."),
                duration(
                        meter,
                        "mcp.server.operation.duration",
                        "MCP request or notification duration as observed on the receiver from the time it was received until"
                                + " the result or ack is sent."),
                duration(
                        meter,
                        "mcp.client.session.duration",
                        "The duration of the MCP session as observed on the MCP client."),
                duration(
                        meter,
                        "mcp.server.session.duration",
                        "The duration of the MCP session as observed on the MCP server."),
                duration(
                        meter,
                        "mcpbridge.client.queue.duration",
                        "How long attempts waited for a session of their server, and for a place in it, until they were"
                                + " sent."),
                meter.counterBuilder("mcpbridge.client.attempts")
                        .setUnit("{attempt}")
                        .setDescription("Attempts of calls at servers.")
                        .build());
    }

    private static DoubleHistogram duration(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(SemanticAttributes.DURATION_BUCKETS)
                .build();
    }
}

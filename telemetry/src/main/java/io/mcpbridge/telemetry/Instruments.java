package io.mcpbridge.telemetry;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;

/** What is counted and measured of calls. No attribute of these tells one call from another. */
final class Instruments {
    private final DoubleHistogram clientOperations;
    private final DoubleHistogram serverOperations;
    private final DoubleHistogram clientSessions;
    private final DoubleHistogram serverSessions;
    private final DoubleHistogram queues;
    private final LongCounter attempts;

    Instruments(Meter meter) {
        this.clientOperations = duration(
                meter,
                "mcp.client.operation.duration",
                "The duration of the MCP request or notification as observed on the sender from the time it was sent"
                        + " until the response or ack is received.");
        this.serverOperations = duration(
                meter,
                "mcp.server.operation.duration",
                "MCP request or notification duration as observed on the receiver from the time it was received until"
                        + " the result or ack is sent.");
        this.clientSessions = duration(
                meter, "mcp.client.session.duration", "The duration of the MCP session as observed on the MCP client.");
        this.serverSessions = duration(
                meter, "mcp.server.session.duration", "The duration of the MCP session as observed on the MCP server.");
        this.queues = duration(
                meter,
                "mcpbridge.client.queue.duration",
                "How long attempts of calls waited for a session of their server and a place in it until they were"
                        + " sent.");
        this.attempts = meter.counterBuilder("mcpbridge.client.attempts")
                .setUnit("{attempt}")
                .setDescription("Attempts of calls at servers.")
                .build();
    }

    private static DoubleHistogram duration(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(Keys.DURATION_BUCKETS)
                .build();
    }

    DoubleHistogram clientOperations() {
        return clientOperations;
    }

    DoubleHistogram serverOperations() {
        return serverOperations;
    }

    DoubleHistogram clientSessions() {
        return clientSessions;
    }

    DoubleHistogram serverSessions() {
        return serverSessions;
    }

    DoubleHistogram queues() {
        return queues;
    }

    LongCounter attempts() {
        return attempts;
    }
}

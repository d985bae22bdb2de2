package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.CallWatch.CallAttempt;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.Reading;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Reports to OpenTelemetry: a {@code SERVER} span for each request of a client, a {@code CLIENT} span for each attempt
 * at a server and each request of the bridge itself, their durations and those of sessions, and the readings of
 * servers. Any thread may use it; one observer serves any number of bridges.
 */
public final class OpenTelemetryObserver implements CallObserver {
    private static final String SCOPE = "io.mcpbridge";

    private final Telemetry telemetry;
    private final Meter meter;

    private OpenTelemetryObserver(Telemetry telemetry, Meter meter) {
        this.telemetry = telemetry;
        this.meter = meter;
    }

    /** An observer that reports to {@code openTelemetry} and does not close it. */
    public static OpenTelemetryObserver of(OpenTelemetry openTelemetry, TelemetrySettings settings) {
        var meter = openTelemetry.getMeter(SCOPE);
        var telemetry = new Telemetry(
                openTelemetry.getTracer(SCOPE),
                Instruments.of(meter),
                new ContextPropagation(openTelemetry.getPropagators().getTextMapPropagator()),
                settings);
        return new OpenTelemetryObserver(telemetry, meter);
    }

    @Override
    public CallWatch begun(CallStart start) {
        return start.origin() == CallStart.Origin.CLIENT
                ? ServerCallSpan.begin(telemetry, start)
                : ToolExecutionSpan.begin(telemetry, start);
    }

    @Override
    public AttemptWatch asked(CallAttempt own) {
        return AttemptSpan.ofOwn(telemetry, own);
    }

    @Override
    public void sessionEnded(EndedSession session) {
        var attributes = NetworkAttributes.of(session).toBuilder().putAll(SpanOutcome.ofEnd(session));
        session.server().ifPresent(server -> attributes.put(SemanticAttributes.SERVER, server));
        var instruments = telemetry.instruments();
        var sessions = session.server().isPresent() ? instruments.clientSessions() : instruments.serverSessions();
        sessions.record(session.duration().toNanos() / 1e9, attributes.build(), Context.root());
    }

    @Override
    public Runnable watchServers(Supplier<Map<String, List<Reading>>> servers) {
        return Gauges.begin(meter, servers)::close;
    }
}

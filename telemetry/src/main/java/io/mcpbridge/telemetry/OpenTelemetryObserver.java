package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.EndedSession;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.Reading;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Tells OpenTelemetry of calls: a {@code SERVER} span for each request of a client, a {@code CLIENT} span for each
 * attempt at a server and for each request of the bridge's own, their durations and those of sessions, and the state of
 * the servers. Any thread may use it; one is enough for any
 * number of bridges.
 */
public final class OpenTelemetryObserver implements CallObserver {
    private static final String SCOPE = "io.mcpbridge";

    private final Telemetry telemetry;
    private final Meter meter;

    private OpenTelemetryObserver(Telemetry telemetry, Meter meter) {
        this.telemetry = telemetry;
        this.meter = meter;
    }

    /** One that tells {@code openTelemetry}, which stays whose it is. */
    public static OpenTelemetryObserver of(OpenTelemetry openTelemetry, TelemetrySettings settings) {
        var meter = openTelemetry.getMeter(SCOPE);
        var telemetry = new Telemetry(
                openTelemetry.getTracer(SCOPE),
                new Instruments(meter),
                new Propagation(openTelemetry.getPropagators().getTextMapPropagator()),
                settings);
        return new OpenTelemetryObserver(telemetry, meter);
    }

    @Override
    public CallWatch begun(CallStart start) {
        return start.origin() == CallStart.Origin.CLIENT
                ? ServedCall.begin(telemetry, start)
                : ProgramCall.begin(telemetry, start);
    }

    @Override
    public AttemptWatch asked(CallAttempt own) {
        return AttemptSpan.ofOwn(telemetry, own);
    }

    @Override
    public void sessionEnded(EndedSession session) {
        var attributes = Way.of(session).toBuilder().putAll(Verdict.ofEnd(session));
        session.server().ifPresent(server -> attributes.put(Keys.SERVER, server));
        var instruments = telemetry.instruments();
        var sessions = session.server().isPresent() ? instruments.clientSessions() : instruments.serverSessions();
        sessions.record(session.duration().toNanos() / 1e9, attributes.build(), Context.root());
    }

    @Override
    public Runnable watchServers(Supplier<Map<String, List<Reading>>> servers) {
        return Gauges.begin(meter, servers)::close;
    }
}

package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.telemetry.RequestTarget.MetricNames;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Reports calls to OpenTelemetry: a {@code SERVER} span for each request of a client, a {@code CLIENT} span for each
 * attempt at a server and each request of the bridge itself, and metrics of calls, sessions and servers. Any thread may
 * use it; one observer serves any number of bridges.
 */
public final class OpenTelemetryObserver implements CallObserver {
    private static final String SCOPE = "io.mcpbridge";

    private final Telemetry telemetry;
    private final Meter meter;

    private OpenTelemetryObserver(Telemetry telemetry, Meter meter) {
        this.telemetry = telemetry;
        this.meter = meter;
    }

    /** Makes an observer that reports to {@code openTelemetry} and does not close it. */
    public static OpenTelemetryObserver of(OpenTelemetry openTelemetry, TelemetrySettings settings) {
        var meter = openTelemetry
                .meterBuilder(SCOPE)
                .setInstrumentationVersion(version())
                .build();
        var telemetry = new Telemetry(
                openTelemetry.getTracer(SCOPE, version()),
                Instruments.of(meter),
                new ContextPropagation(openTelemetry.getPropagators().getTextMapPropagator()),
                new MetricNames(),
                settings);
        return new OpenTelemetryObserver(telemetry, meter);
    }

    /** The version in the manifest, or {@code development} where the classes do not come from a jar. */
    private static String version() {
        var version = OpenTelemetryObserver.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public CallTracer begun(CallStart start) {
        return start.origin() == CallStart.Origin.CLIENT
                ? ServerCallSpan.begin(telemetry, start)
                : ToolExecutionSpan.begin(telemetry, start);
    }

    @Override
    public AttemptTracer asked(CallAttempt own, TraceParent cause) {
        return AttemptSpan.ofOwn(telemetry, own, cause);
    }

    @Override
    public TraceParent programTrace() {
        return Telemetry.trace(Span.current());
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
    public Runnable watchServers(Supplier<Map<String, List<GaugeReading>>> servers) {
        return new Gauges(meter, servers).callback::close;
    }

    /**
     * A call of the embedding program. Its attempts are children of the program's current span; without one, a tool
     * call gets an {@code execute_tool} span as their parent.
     */
    private record ToolExecutionSpan(Telemetry telemetry, Span span, Context context) implements CallTracer {

        static ToolExecutionSpan begin(Telemetry telemetry, CallStart start) {
            var request = start.call().request();
            var parent = telemetry.propagation().extractFromMeta(request, Context.current());
            var target = RequestTarget.of(request);
            if (!target.isTool() || Span.fromContext(parent).getSpanContext().isValid()) {
                return new ToolExecutionSpan(telemetry, Span.getInvalid(), parent);
            }
            var name = SemanticAttributes.EXECUTE_TOOL + " " + target.name();
            var span = telemetry.span(name, SpanKind.INTERNAL, parent);
            span.setAttribute(SemanticAttributes.OPERATION, SemanticAttributes.EXECUTE_TOOL);
            span.setAttribute(SemanticAttributes.TOOL, target.name());
            span.setAttribute(SemanticAttributes.CORRELATION_ID, start.call().correlationId());
            return new ToolExecutionSpan(telemetry, span, Telemetry.within(span, parent));
        }

        @Override
        public AttemptTracer attempted(CallAttempt attempt) {
            return AttemptSpan.begin(telemetry, attempt, context);
        }

        @Override
        public void ended(Outcome outcome) {
            SpanOutcome.ofAttempt(outcome).applyTo(span);
            span.end();
        }
    }

    /**
     * The readings of the servers of one bridge, as gauges. A reading without a gauge of its own, such as that of a
     * third-party stage, goes to {@code mcpbridge.reading} with its name as an attribute.
     */
    private static final class Gauges {

        private record Gauge(String name, String unit, String description) {}

        private static final Gauge UNKNOWN =
                new Gauge("mcpbridge.reading", "1", "Readings of stages that are not built in.");

        private static final Map<String, Gauge> KNOWN = Map.ofEntries(
                known("breaker.state", "1", "0 closed, 0.5 half-open while calls pass, 1 while no call passes"),
                Map.entry(
                        "retry.budget",
                        new Gauge("mcpbridge.retry.budget.tokens", "1", "Retries that the budget still allows")),
                known("connection.state", "1", "0 idle, 1 connecting, 2 healthy, 3 degraded, 4 unavailable"),
                known("connection.calls", "{call}", "Calls that were sent and have no outcome yet"),
                known("connection.opened", "{session}", "Sessions that were opened"),
                known("connection.dropped", "{message}", "Messages of the server that belong to no call"),
                known("concurrency.under-way", "{call}", "Attempts in progress"),
                known("concurrency.waiting", "{call}", "Attempts that wait for the limit"),
                known("rate-limit.waiting", "{call}", "Calls that wait for the rate limit"),
                known("cache.entries", "{answer}", "Cached responses"),
                known("cache.bytes", "By", "Size of the cached responses"),
                known("cache.hits", "{call}", "Calls answered from the cache"),
                known("repeats.calls", "{call}", "Calls with an idempotency key that are remembered"),
                known("repeats.bytes", "By", "Size of the outcomes of these calls"),
                known("coalescing.under-way", "{call}", "Calls that others may join"),
                known("coalescing.joined", "{call}", "Calls that joined another one"));

        private final Supplier<Map<String, List<GaugeReading>>> servers;
        private final Map<Gauge, ObservableDoubleMeasurement> measurements = new LinkedHashMap<>();
        private final BatchCallback callback;

        Gauges(Meter meter, Supplier<Map<String, List<GaugeReading>>> servers) {
            this.servers = servers;
            var gauges = new ArrayList<>(KNOWN.values());
            gauges.add(UNKNOWN);
            gauges.forEach(gauge -> measurements.put(gauge, observer(meter, gauge)));
            var all = measurements.values().toArray(ObservableDoubleMeasurement[]::new);
            this.callback = meter.batchCallback(this::observe, observer(meter, UNKNOWN), all);
        }

        private static Map.Entry<String, Gauge> known(String reading, String unit, String description) {
            return Map.entry(reading, new Gauge("mcpbridge." + reading.replace('-', '_'), unit, description));
        }

        private static ObservableDoubleMeasurement observer(Meter meter, Gauge gauge) {
            return meter.gaugeBuilder(gauge.name)
                    .setUnit(gauge.unit)
                    .setDescription(gauge.description)
                    .buildObserver();
        }

        private void observe() {
            servers.get().forEach((server, readings) -> readings.forEach(reading -> observe(server, reading)));
        }

        private void observe(String server, GaugeReading reading) {
            var gauge = KNOWN.getOrDefault(reading.name(), UNKNOWN);
            var attributes = Attributes.builder();
            if (!server.isEmpty()) {
                attributes.put(SemanticAttributes.SERVER, server);
            }
            if (gauge.equals(UNKNOWN)) {
                attributes.put(SemanticAttributes.READING, reading.name());
            }
            var measurement = measurements.get(gauge);
            if (measurement != null) {
                measurement.record(reading.value(), attributes.build());
            }
        }
    }

    /** Traces one request of a client: its {@code SERVER} span and its duration metric. */
    private static final class ServerCallSpan implements CallTracer {
        private final Telemetry telemetry;
        private final Attributes attributes;
        private final Span span;
        private final Context context;
        private final long since = System.nanoTime();
        private final AtomicBoolean isEnded = new AtomicBoolean();

        private ServerCallSpan(Telemetry telemetry, Attributes attributes, Span span, Context context) {
            this.telemetry = telemetry;
            this.attributes = attributes;
            this.span = span;
            this.context = context;
        }

        static ServerCallSpan begin(Telemetry telemetry, CallStart start) {
            var call = start.call();
            var target = RequestTarget.of(call.request());
            // The root context, since the current span of this thread belongs to another call.
            var propagation = telemetry.propagation();
            var parent = propagation.extract(call, Context.root());
            var span = telemetry.span(target.spanName(), SpanKind.SERVER, parent, propagation.linkedSpan(call, parent));
            var client = Attributes.builder()
                    .put(
                            SemanticAttributes.PROTOCOL_VERSION,
                            call.caller().version().text())
                    .putAll(NetworkAttributes.of(call.origin().remote()))
                    .build();
            describe(span, call, target.attributes(), client);
            var counted = target.in(telemetry.names(), start.namesListed()).attributes().toBuilder()
                    .putAll(client)
                    .build();
            return new ServerCallSpan(telemetry, counted, span, Telemetry.within(span, parent));
        }

        private static void describe(Span span, Call call, Attributes target, Attributes client) {
            if (!span.isRecording()) {
                return;
            }
            var request = call.request();
            span.setAllAttributes(target);
            span.setAllAttributes(client);
            span.setAttribute(SemanticAttributes.REQUEST_ID, SemanticAttributes.requestId(request.id()));
            span.setAttribute(SemanticAttributes.CORRELATION_ID, call.correlationId());
            var remote = call.origin().remote();
            if (!remote.address().isEmpty()) {
                span.setAttribute(SemanticAttributes.CLIENT_ADDRESS, remote.address());
                span.setAttribute(SemanticAttributes.CLIENT_PORT, (long) remote.port());
            }
            request.text(MessageField.URI).ifPresent(uri -> span.setAttribute(SemanticAttributes.RESOURCE_URI, uri));
            var session = call.caller().session();
            if (call.caller().era() == Era.LEGACY && !session.isEmpty()) {
                span.setAttribute(SemanticAttributes.SESSION, session);
            }
        }

        @Override
        public AttemptTracer attempted(CallAttempt attempt) {
            return AttemptSpan.begin(telemetry, attempt, context);
        }

        @Override
        public TraceParent trace() {
            return Telemetry.trace(span);
        }

        @Override
        public void ended(Outcome outcome) {
            if (!isEnded.compareAndSet(false, true)) {
                return;
            }
            var result = SpanOutcome.ofServed(outcome);
            result.applyTo(span);
            span.end();
            var all = attributes.toBuilder().putAll(result.attributes()).build();
            telemetry.instruments().serverOperations().record(Telemetry.seconds(since), all, context);
        }
    }
}

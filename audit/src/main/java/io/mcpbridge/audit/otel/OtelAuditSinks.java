package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.internal.QueuedAuditSink;
import io.mcpbridge.audit.internal.RecordGroup;
import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.audit.internal.TrailStore;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.Durability;
import io.mcpbridge.spi.Environment;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens sinks that emit each audit record as a log event of OpenTelemetry.
 *
 * <p>A completion succeeds when the event was emitted. Overloaded exporters drop events, so the events serve monitoring
 * and are no proof. A closed sink does not flush exporters, which it does not own.
 */
final class OtelAuditSinks {

    private OtelAuditSinks() {}

    /**
     * Opens a sink that emits events to this OpenTelemetry.
     *
     * @param records makes the records; no other sink may use it
     */
    static AuditSink of(OpenTelemetry telemetry, AuditRecords records, Environment environment) {
        records.keepKey();
        var queue = new RecordQueue(environment, records, "OpenTelemetry is too slow");
        var events = new LogEvents(telemetry, environment.logger());
        return new QueuedAuditSink("mcp-bridge-audit-otel", queue, records, events, environment).start();
    }

    /** Opens a sink that emits events to the global OpenTelemetry of the process. */
    static AuditSink ofProcess(AuditRecords records, Environment environment) {
        return of(GlobalOpenTelemetry.get(), records, environment);
    }

    /**
     * Emits the records of a group one by one; a failed record does not fail the others. An event has a name, a
     * severity and attributes, but no body. Attributes that spans have too have the same names; the other members of a
     * record are under {@code mcpbridge.audit}.
     */
    private static final class LogEvents implements TrailStore {
        private static final String CALL = "mcpbridge.tool.call";
        private static final String NOTE = "mcpbridge.audit.note";

        /** The names of attributes that spans have too, by member of a record. */
        private static final Map<String, String> SHARED = Map.of(
                "method", "mcp.method.name",
                "server", "mcpbridge.server",
                "correlationId", "mcpbridge.correlation.id",
                "traceId", "mcpbridge.trace.id",
                "outcome", "mcpbridge.outcome",
                "delivery", "mcpbridge.delivery");

        private static final String SUBJECT = "mcpbridge.audit.subject";

        /** The attribute of spans for the subject of a record, by its method. */
        private static final Map<String, String> SUBJECTS = Map.of(
                "tools/call", "gen_ai.tool.name",
                "prompts/get", "gen_ai.prompt.name",
                "resources/read", "mcp.resource.uri",
                "resources/subscribe", "mcp.resource.uri",
                "resources/unsubscribe", "mcp.resource.uri");

        private static final AttributeKey<String> PHASE = AttributeKey.stringKey("mcpbridge.audit.phase");
        private static final AttributeKey<String> RECORD_ID = AttributeKey.stringKey("log.record.uid");

        private final Logger events;
        private final System.Logger logger;
        private final AuditChain chain = AuditChain.start();

        private LogEvents(OpenTelemetry telemetry, System.Logger logger) {
            this.events = telemetry
                    .getLogsBridge()
                    .loggerBuilder("io.mcpbridge.audit")
                    .build();
            this.logger = logger;
        }

        @Override
        public Durability durability() {
            return Durability.NONE;
        }

        @Override
        public Duration closeTimeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public void abort(Thread writer) {
            writer.interrupt();
        }

        @Override
        public void append(RecordGroup group) {
            for (int i = 0; i < group.bodies().size(); i++) {
                int event = i - group.firstEvent();
                try {
                    emit(ParsedRecord.parse(chain.append(group.bodies().get(i))));
                } catch (RuntimeException | LinkageError defect) {
                    logger.log(Level.DEBUG, "[mcp-bridge] an audit event was not emitted", defect);
                    if (event >= 0) {
                        var why = "OpenTelemetry did not take the audit event: " + defect;
                        group.events().get(event).fail(RecordQueue.unavailable(why), logger);
                    }
                }
            }
        }

        @Override
        public FailureAction onFailure(Throwable failure, RecordGroup group) {
            return new FailureAction.Drop("the audit event was not emitted: " + failure);
        }

        @Override
        public void close() {}

        private void emit(ParsedRecord line) {
            var event = events.logRecordBuilder()
                    .setEventName(line.type() == RecordType.NOTE ? NOTE : CALL)
                    .setTimestamp(line.time())
                    .setSeverity(severity(line))
                    .setContext(context(line.trace()))
                    .setAttribute(RECORD_ID, line.id())
                    .setAttribute(PHASE, line.type().name().toLowerCase(Locale.ROOT));
            line.data().forEach((key, value) -> put(event, key, value));
            line.subject().ifPresent(subject -> event.setAttribute(subjectOf(line), subject));
            event.emit();
        }

        /** The context of the call, which links its events to its spans. */
        private static Context context(TraceParent trace) {
            if (!trace.isPresent()) {
                return Context.root();
            }
            var span = SpanContext.createFromRemoteParent(
                    trace.traceId(), trace.spanId(), TraceFlags.fromHex(trace.flags(), 0), TraceState.getDefault());
            return Context.root().with(Span.wrap(span));
        }

        private static AttributeKey<String> subjectOf(ParsedRecord line) {
            return AttributeKey.stringKey(line.text("method").map(SUBJECTS::get).orElse(SUBJECT));
        }

        /** {@code WARN} for a call that failed or was denied and for notes, else {@code INFO}. */
        private static Severity severity(ParsedRecord line) {
            var isGood = switch (line.type()) {
                case ENTER -> true;
                case EXIT -> line.text("outcome").filter(LogEvents::isGood).isPresent();
                case DENIED, NOTE -> false;
            };
            return isGood ? Severity.INFO : Severity.WARN;
        }

        private static boolean isGood(String outcome) {
            return outcome.equals("ok") || outcome.equals("input-required");
        }

        private static void put(LogRecordBuilder event, String key, @Nullable Object value) {
            if (key.equals("tool")) {
                return;
            }
            var name = SHARED.getOrDefault(key, "mcpbridge.audit." + underscored(key));
            if (value instanceof String text) {
                event.setAttribute(AttributeKey.stringKey(name), text);
            } else if (value instanceof Long number) {
                event.setAttribute(AttributeKey.longKey(name), number);
            } else if (value instanceof Boolean flag) {
                event.setAttribute(AttributeKey.booleanKey(name), flag);
            } else if (value instanceof Map<?, ?> members) {
                members.forEach((inner, each) -> put(event, key + "." + inner, each));
            }
        }

        /** Converts a key to snake case: {@code durationMs} becomes {@code duration_ms}. */
        private static String underscored(String key) {
            return key.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        }
    }
}

package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.audit.redact.Redaction;
import io.mcpbridge.audit.redact.RedactionKey;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditedCall;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Makes records of events, with what is secret taken out. One thread at a time: the writer of a sink.
 *
 * <p>Each method takes the time at which the sink was told. None waits, and none fails whatever an event holds.
 */
public final class AuditRecords {
    private final Levels levels;
    private final boolean showsOpenWorld;
    private final Redaction redaction;
    private final RandomGenerator random;
    private final Definitions definitions = new Definitions();
    private final RecordDraft draft = new RecordDraft();

    AuditRecords(RecordSettings settings, RedactionKey key, Supplier<List<String>> secrets, RandomGenerator random) {
        this.levels = new Levels(settings);
        this.showsOpenWorld = settings.redaction().openWorldResults();
        this.redaction = Redaction.of(settings.redaction(), key, secrets);
        this.random = random;
    }

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section; mistakes are noted there, so
     * {@link Settings#finish} comes after this. Without {@code redact.key} the key is one of this process alone.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the key cannot be used
     */
    public static AuditRecords of(Settings audit, Environment environment) {
        var settings = RecordSettings.from(audit);
        var file = settings.redaction().key();
        var key = file.isEmpty() ? RedactionKey.random() : RedactionKey.at(Path.of(file));
        return new AuditRecords(settings, key, environment.secrets()::texts, environment.random());
    }

    /** The same, where without {@code redact.key} the key lies in this file, which is made if it is missing. */
    public static AuditRecords of(Settings audit, Environment environment, Path keyFile) {
        var settings = RecordSettings.from(audit);
        var file = settings.redaction().key();
        var key = RedactionKey.at(file.isEmpty() ? keyFile : Path.of(file));
        return new AuditRecords(settings, key, environment.secrets()::texts, environment.random());
    }

    /** A call begins. */
    public RecordBody enter(ToolEnter event, Instant time) {
        var level = levels.of(event.call());
        var definition = definitions.of(event.definition());
        // The members come in their order, where that is cheaper.
        begin(RecordType.ENTER, event.call(), time)
                .put("argumentsHash", redaction.hashOf(event.arguments()))
                .put("argumentsSize", Utf8Length.of(event.arguments()))
                .put("clientId", redaction.text(event.clientId()))
                .putIfAny("continues", redaction.word(event.continues()));
        put(event.call(), event.correlationId())
                .put("level", level.word())
                .put("monotonicNanos", Long.toString(event.nanoTime()))
                .put("principal", principal(event.principal()))
                .putIfAny("schemaHash", definition.hash())
                .putIfAny("traceId", redaction.word(event.traceId()));
        if (level != RecordLevel.METADATA) {
            draft.put("arguments", redaction.json(event.arguments(), definition.arguments()));
        }
        return draft.body(id(event.correlationId(), "-enter"));
    }

    /** A call has ended. */
    public RecordBody exit(ToolExit event, Instant time) {
        begin(RecordType.EXIT, event.call(), time)
                .put("attempts", event.attempts())
                .put("durationMs", event.duration().toMillis());
        put(Ending.of(event.outcome()));
        if (event.outcome() instanceof Outcome.Answered answered) {
            result(event, answered.response());
        }
        return put(event.call(), event.correlationId()).body(id(event.correlationId(), "-exit"));
    }

    /** A call was turned away. */
    public RecordBody denied(ToolDenied event, Instant time) {
        begin(RecordType.DENIED, event.call(), time);
        return put(event.call(), event.correlationId())
                .put("principal", principal(event.principal()))
                .put("clientId", redaction.text(event.clientId()))
                .put("reason", redaction.text(event.reason()))
                .body(id(event.correlationId(), "-denied"));
    }

    /** Something else happened. */
    public RecordBody note(AuditNote note, Instant time) {
        var details = new TreeMap<String, String>();
        note.details().forEach((key, value) -> details.put(redaction.text(key), redaction.text(value)));
        return draft.begin(RecordType.NOTE, time)
                .put("kind", redaction.word(note.kind()))
                .put("details", details)
                .body("note-%016x".formatted(random.nextLong()));
    }

    /** The exit of a call that an earlier process began and did not end: nobody knows what became of it. */
    public RecordBody inDoubt(AuditLine enter, Instant time) {
        var correlationId = enter.text("correlationId").orElse("");
        draft.begin(RecordType.EXIT, time)
                .put("outcome", "error")
                .put("delivery", Delivery.UNKNOWN.name())
                .put("error", "the bridge ended before this call did")
                .flag("inDoubt");
        for (var key : List.of("method", "server", "tool", "correlationId")) {
            draft.put(key, enter.text(key).orElse(""));
        }
        return draft.from(enter.text("server").orElse(""))
                .about(enter.text("tool").orElse(""))
                .body(correlationId + "-exit");
    }

    private RecordDraft begin(RecordType type, AuditedCall call, Instant time) {
        return draft.begin(type, time).from(redaction.word(call.server())).about(redaction.text(call.tool()));
    }

    private RecordDraft put(AuditedCall call, String correlationId) {
        return draft.put("correlationId", redaction.word(correlationId))
                .put("method", redaction.word(call.method()))
                .putIfAny("sandbox", redaction.word(call.sandbox()))
                .put("server", redaction.word(call.server()))
                .put("tool", redaction.text(call.tool()));
    }

    private void put(Ending ending) {
        draft.put("outcome", ending.outcome())
                .put("delivery", ending.delivery().name())
                .putIfAny("reason", ending.reason())
                .putIfAny("error", redaction.text(ending.error()));
        if (ending.code() != 0) {
            draft.put("code", ending.code());
        }
    }

    private void result(ToolExit event, Response response) {
        int start = response.start(Part.RESULT);
        if (start < 0) {
            return;
        }
        int size = response.end(Part.RESULT) - start;
        var result = response.bytes().slice(start, size);
        draft.put("resultSize", size).put("resultHash", redaction.hashOf(result.duplicate()));
        var definition = definitions.of(event.definition());
        if (levels.of(event.call()) == RecordLevel.RESULT && (definition.isClosed() || showsOpenWorld)) {
            draft.put("result", redaction.result(UTF_8.decode(result).toString(), definition.result()));
        }
    }

    private Map<String, String> principal(Principal principal) {
        return Map.of("name", redaction.text(principal.name()), "proof", redaction.word(principal.proof()));
    }

    private String id(String correlationId, String suffix) {
        return redaction.word(correlationId) + suffix;
    }
}

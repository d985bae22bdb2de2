package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.Redaction;
import io.mcpbridge.audit.redact.RedactionKey;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.files.HomePath;
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
    private final Payloads payloads;
    private final Redaction redaction;
    private final RedactionKey key;
    private final RandomGenerator random;
    private final Definitions definitions = new Definitions();
    private final RecordDraft draft = new RecordDraft();

    AuditRecords(RecordSettings settings, RedactionKey key, Supplier<List<String>> secrets, RandomGenerator random) {
        this.levels = new Levels(settings);
        this.redaction = Redaction.of(settings.redaction(), key, secrets);
        this.payloads = new Payloads(redaction, settings.redaction().openWorldResults());
        this.key = key;
        this.random = random;
    }

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section; mistakes are noted there, so
     * {@link Settings#finish} comes after this. Without {@code redact.key} the key is one of this process alone.
     * A key whose file is missing is put there by {@link #keepKey}.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the key cannot be used
     */
    public static AuditRecords of(Settings audit, Environment environment) {
        var settings = RecordSettings.from(audit);
        var file = settings.redaction().key();
        var key = file.isEmpty() ? RedactionKey.random() : RedactionKey.at(HomePath.of(file, environment.variables()));
        return new AuditRecords(settings, key, environment.secrets()::texts, environment.random());
    }

    /** The same, where without {@code redact.key} the key lies in this file, whose folder need not be there yet. */
    public static AuditRecords of(Settings audit, Environment environment, Path keyFile) {
        var settings = RecordSettings.from(audit);
        var file = settings.redaction().key();
        var key = file.isEmpty()
                ? RedactionKey.toBeAt(keyFile)
                : RedactionKey.at(HomePath.of(file, environment.variables()));
        return new AuditRecords(settings, key, environment.secrets()::texts, environment.random());
    }

    /** Makes the records of a second sink, in which what is hidden has the same hashes as in these. */
    public AuditRecords mirrored(Settings audit, Environment environment) {
        return new AuditRecords(RecordSettings.from(audit), key, environment.secrets()::texts, environment.random());
    }

    /**
     * Puts the key of the hashes into its file, if that is missing. Sinks do it before their first record of a call, when
     * nothing else can keep them from starting.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the file cannot be written
     */
    public void keepKey() {
        var unused = key.keep();
    }

    /** The id of the key of the hashes; the empty string for one of this process alone. */
    public String lastingKey() {
        return key.isLasting() ? key.id() : "";
    }

    /** A call begins. */
    public RecordBody enter(ToolEnter event, Instant time) {
        var level = levels.of(event.call());
        var definition = definitions.of(event.definition());
        var words = words(event.call(), event.correlationId());
        draft.begin(RecordType.ENTER, time).within(event.trace());
        var isCut = payloads.arguments(draft, event, level, definition);
        draft.put(Member.CLIENT_ID, redaction.text(event.clientId()))
                .putIfAny(Member.CONTINUES, redaction.word(event.continues()))
                .put(Member.CORRELATION_ID, words.correlationId())
                .putPlain(Member.LEVEL, level.word())
                .put(Member.METHOD, words.method())
                .putPlain(Member.MONOTONIC_NANOS, Long.toString(event.nanoTime()));
        principal(event.principal())
                .putIfAny(Member.SANDBOX, redaction.word(event.call().sandbox()))
                .putIfAny(Member.SCHEMA_HASH, definition.hash())
                .put(Member.SERVER, words.server())
                .put(Member.TOOL, words.tool())
                .putIfAny(Member.TRACE_ID, event.trace().traceId())
                .flag(Member.TRUNCATED, isCut);
        return words.body("-enter", draft);
    }

    /** A call has ended. */
    public RecordBody exit(ToolExit event, Instant time) {
        var words = words(event.call(), event.correlationId());
        var ending = Ending.of(event.outcome());
        var answer = payloads.answer(event, levels.of(event.call()), definitions.of(event.definition()));
        draft.begin(RecordType.EXIT, time)
                .within(event.trace())
                .put(Member.ATTEMPTS, event.attempts())
                .put(Member.CLIENT_ID, redaction.text(event.clientId()));
        if (ending.code() != 0) {
            draft.put(Member.CODE, ending.code());
        }
        draft.put(Member.CORRELATION_ID, words.correlationId())
                .putPlain(Member.DELIVERY, ending.delivery().name())
                .put(Member.DURATION_MS, event.duration().toMillis());
        answer.error(draft, ending.error());
        draft.put(Member.METHOD, words.method()).putPlain(Member.OUTCOME, ending.outcome());
        principal(event.principal()).putIfAny(Member.REASON, ending.reason());
        var isCut = event.outcome() instanceof Outcome.Answered answered && answer.result(draft, answered.response());
        draft.putIfAny(Member.SANDBOX, redaction.word(event.call().sandbox()))
                .put(Member.SERVER, words.server())
                .put(Member.TOOL, words.tool())
                .flag(Member.TRUNCATED, isCut);
        return words.body("-exit", draft);
    }

    /** A call was turned away. */
    public RecordBody denied(ToolDenied event, Instant time) {
        var words = words(event.call(), event.correlationId());
        draft.begin(RecordType.DENIED, time)
                .within(event.trace())
                .put(Member.CLIENT_ID, redaction.text(event.clientId()))
                .put(Member.CORRELATION_ID, words.correlationId())
                .put(Member.METHOD, words.method());
        principal(event.principal())
                .put(Member.REASON, redaction.text(event.reason()))
                .put(Member.SERVER, words.server())
                .put(Member.TOOL, words.tool());
        return words.body("-denied", draft);
    }

    /** Something else happened. */
    public RecordBody note(AuditNote note, Instant time) {
        var details = new TreeMap<String, String>();
        note.details().forEach((key, value) -> details.put(redaction.text(key), redaction.text(value)));
        return draft.begin(RecordType.NOTE, time)
                .put(Member.DETAILS, details)
                .put(Member.KIND, redaction.word(note.kind()))
                .body("note-%016x".formatted(random.nextLong()));
    }

    /** The exit of a call that an earlier process began and did not end: nobody knows what became of it. */
    public RecordBody inDoubt(AuditLine enter, Instant time) {
        var words = new Words(
                enter.text(Member.CORRELATION_ID.key()).orElse(""),
                enter.text(Member.METHOD.key()).orElse(""),
                enter.text(Member.SERVER.key()).orElse(""),
                enter.text(Member.TOOL.key()).orElse(""));
        draft.begin(RecordType.EXIT, time)
                .within(enter.trace())
                .put(Member.CLIENT_ID, enter.text(Member.CLIENT_ID.key()).orElse(""))
                .put(Member.CORRELATION_ID, words.correlationId())
                .put(Member.DELIVERY, Delivery.UNKNOWN.name())
                .put(Member.ERROR, "the bridge ended before this call did")
                .flag(Member.IN_DOUBT, true)
                .put(Member.METHOD, words.method())
                .put(Member.OUTCOME, "error")
                .put(Member.PRINCIPAL, principal(enter, "name"), principal(enter, "proof"))
                .put(Member.SERVER, words.server())
                .put(Member.TOOL, words.tool());
        return words.body("-exit", draft);
    }

    /** What all records of a call have, as they show it. */
    private record Words(String correlationId, String method, String server, String tool) {

        RecordBody body(String suffix, RecordDraft draft) {
            return draft.body(correlationId, suffix, server, tool);
        }
    }

    private Words words(AuditedCall call, String correlationId) {
        return new Words(
                redaction.word(correlationId),
                redaction.word(call.method()),
                redaction.word(call.server()),
                redaction.text(call.tool()));
    }

    /** As it stands in a record, from which what is secret has been taken already. */
    private static String principal(AuditLine enter, String member) {
        return enter.data().get(Member.PRINCIPAL.key()) instanceof Map<?, ?> members
                        && members.get(member) instanceof String text
                ? text
                : "";
    }

    private RecordDraft principal(Principal principal) {
        return draft.put(Member.PRINCIPAL, redaction.text(principal.name()), redaction.word(principal.proof()));
    }
}

package io.mcpbridge.audit.record;

import io.mcpbridge.audit.redact.Redaction;
import io.mcpbridge.audit.redact.RedactionKey;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GlobPattern;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Converts audit events into redacted records. Any thread may use it.
 *
 * <p>Each method takes the time of the event. No method blocks, and none fails because of the contents of an event. The
 * time that one takes is proportional to the size of the event, and only the copy and the hash of its first MiB depend
 * on more than its first 64 Ki characters.
 *
 * <p>Members are added in the order of their keys, which {@link RecordJsonBuilder} checks. CONTRIBUTING.md lists what
 * else a new member needs.
 */
public final class AuditRecords {
    private final LevelRules levels;
    private final Payloads payloads;
    private final Redaction redaction;
    private final RedactionKey key;
    private final RandomGenerator random;
    private final ToolDefinitionCache definitions = new ToolDefinitionCache();

    AuditRecords(RecordSettings settings, RedactionKey key, Supplier<List<String>> secrets, RandomGenerator random) {
        this.levels = new LevelRules(settings);
        this.redaction = Redaction.of(settings.redaction(), key, secrets);
        this.payloads = new Payloads(redaction, settings.redaction().openWorldResults());
        this.key = key;
        this.random = random;
    }

    /**
     * Reads {@code level}, {@code levels} and {@code redact} of an {@code audit} section. Mistakes are noted there, so
     * call {@link Settings#finish} afterwards. Without {@code redact.key} the key is random and valid for this process
     * only. If the file of the key is missing, {@link #keepKey} creates it.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the key cannot be used
     */
    public static AuditRecords of(Settings audit, Environment environment) {
        return of(audit, environment, RedactionKey::random);
    }

    /** Like {@link #of(Settings, Environment)}, with a default file for the key, whose folder need not exist yet. */
    public static AuditRecords of(Settings audit, Environment environment, Path keyFile) {
        return of(audit, environment, () -> RedactionKey.toBeAt(keyFile));
    }

    private static AuditRecords of(Settings audit, Environment environment, Supplier<RedactionKey> usualKey) {
        var settings = RecordSettings.from(audit);
        var file = settings.redaction().key();
        var key = file.isEmpty() ? usualKey.get() : RedactionKey.at(UserFolders.resolve(file, environment.variables()));
        return new AuditRecords(settings, key, environment.secrets()::texts, environment.random());
    }

    /** Makes the records of a second sink, with the same hashes of redacted values. */
    public AuditRecords mirrored(Settings audit, Environment environment) {
        return new AuditRecords(RecordSettings.from(audit), key, environment.secrets()::texts, environment.random());
    }

    /**
     * Writes the redaction key into its file if that is missing. A sink calls it before its first record of a call, as
     * the last step of its start that can fail.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the file cannot be written
     */
    public void keepKey() {
        var unused = key.keep();
    }

    /** The record of the begin of a call. */
    public RecordBody enter(ToolEnter event, Instant time) {
        var call = redacted(event.call());
        var level = levels.of(event.call());
        var definition = definitions.of(event.call().definition());
        var draft = new RecordJsonBuilder(RecordType.ENTER, time, call.trace());
        boolean isCut = payloads.arguments(draft, event, level, definition);
        draft.put("clientId", call.clientId())
                .putIfAny("continues", redaction.word(event.continues()))
                .put("correlationId", call.correlationId())
                .put("level", level.word())
                .put("method", call.method())
                .put("monotonicNanos", Long.toString(event.nanoTime()))
                .putPrincipal(call.principal(), call.proof())
                .putIfAny("sandbox", redaction.word(event.call().sandbox()))
                .putIfAny("schemaHash", definition.hash())
                .put("server", call.server())
                .put("tool", call.tool())
                .putIfAny("traceId", call.trace().traceId())
                .flag("truncated", isCut);
        return body(draft, call, "-enter");
    }

    /** The record of the end of a call. */
    public RecordBody exit(ToolExit event, Instant time) {
        var call = redacted(event.call());
        var ending = RecordedOutcome.of(event.outcome());
        var answer = payloads.answer(
                event, levels.of(event.call()), definitions.of(event.call().definition()));
        var draft = new RecordJsonBuilder(RecordType.EXIT, time, call.trace())
                .put("attempts", event.attempts())
                .put("clientId", call.clientId());
        if (ending.code() != 0) {
            draft.put("code", ending.code());
        }
        draft.put("correlationId", call.correlationId())
                .put("delivery", ending.delivery().name())
                .put("durationMs", event.duration().toMillis());
        answer.error(draft, ending.error());
        draft.put("method", call.method())
                .put("outcome", ending.outcome())
                .putPrincipal(call.principal(), call.proof())
                .putIfAny("reason", ending.reason());
        boolean isCut =
                event.outcome() instanceof Outcome.Answered answered && answer.result(draft, answered.response());
        draft.putIfAny("sandbox", redaction.word(event.call().sandbox()))
                .put("server", call.server())
                .put("tool", call.tool())
                .flag("truncated", isCut);
        return body(draft, call, "-exit");
    }

    /** The record of a denied call. */
    public RecordBody denied(ToolDenied event, Instant time) {
        var call = redacted(event.call());
        var draft = new RecordJsonBuilder(RecordType.DENIED, time, call.trace())
                .put("clientId", call.clientId())
                .put("correlationId", call.correlationId())
                .put("method", call.method())
                .putPrincipal(call.principal(), call.proof())
                .put("reason", redaction.text(event.reason()))
                .put("server", call.server())
                .put("tool", call.tool());
        return body(draft, call, "-denied");
    }

    /** The record of a note. */
    public RecordBody note(AuditNote note, Instant time) {
        var details = new TreeMap<String, String>();
        note.details().forEach((key, value) -> details.put(redaction.text(key), redaction.text(value)));
        return new RecordJsonBuilder(RecordType.NOTE, time, TraceParent.NONE)
                .put("details", details)
                .put("kind", redaction.word(note.kind()))
                .body("note-%016x".formatted(random.nextLong()), "", "");
    }

    /** The exit of a call that an earlier process began and did not end, so that its outcome is unknown. */
    public RecordBody inDoubt(ParsedRecord enter, Instant time) {
        var call = RecordedCall.of(enter);
        var draft = new RecordJsonBuilder(RecordType.EXIT, time, call.trace())
                .put("clientId", call.clientId())
                .put("correlationId", call.correlationId())
                .put("delivery", Delivery.UNKNOWN.name())
                .put("error", "the bridge ended before this call did")
                .flag("inDoubt", true)
                .put("method", call.method())
                .put("outcome", "error")
                .putPrincipal(call.principal(), call.proof())
                .put("server", call.server())
                .put("tool", call.tool());
        return body(draft, call, "-exit");
    }

    private static RecordBody body(RecordJsonBuilder draft, RecordedCall call, String suffix) {
        return draft.body(call.correlationId() + suffix, call.server(), call.tool());
    }

    private RecordedCall redacted(AuditedCall call) {
        return new RecordedCall(
                redaction.word(call.correlationId()),
                redaction.text(call.method()),
                redaction.word(call.server()),
                redaction.text(call.tool()),
                redaction.text(call.principal().name()),
                redaction.word(call.principal().proof()),
                redaction.text(call.clientId()),
                call.trace());
    }

    /** The members of every record of a call, redacted. */
    private record RecordedCall(
            String correlationId,
            String method,
            String server,
            String tool,
            String principal,
            String proof,
            String clientId,
            TraceParent trace) {

        /** Reads the members from an enter, where they are redacted already. */
        static RecordedCall of(ParsedRecord enter) {
            return new RecordedCall(
                    enter.text("correlationId").orElse(""),
                    enter.text("method").orElse(""),
                    enter.text("server").orElse(""),
                    enter.text("tool").orElse(""),
                    enter.text("principal", "name").orElse(""),
                    enter.text("principal", "proof").orElse(""),
                    enter.text("clientId").orElse(""),
                    enter.trace());
        }
    }

    /**
     * The outcome of a call in the form of a record.
     *
     * @param outcome {@code ok}, {@code tool-error}, {@code input-required} or {@code error}
     * @param reason the stable word for the failure; empty if there is none or only the server knows it
     * @param code the code of the JSON-RPC error, or of the reason; 0 if there is none
     * @param error the original message of the error
     */
    private record RecordedOutcome(String outcome, Delivery delivery, String reason, int code, String error) {

        static RecordedOutcome of(Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered) {
                return of(answered.response());
            }
            return of(((Outcome.Failed) outcome).failure());
        }

        private static RecordedOutcome of(Response response) {
            if (response.isError()) {
                var code = response.raw(MessageField.ERROR_CODE)
                        .flatMap(NumberText::readInt)
                        .orElse(0);
                return answered(
                        "error", code, response.text(MessageField.ERROR_MESSAGE).orElse(""));
            }
            if (response.text(MessageField.RESULT_TYPE)
                    .filter("input_required"::equals)
                    .isPresent()) {
                return answered("input-required", 0, "");
            }
            var failed =
                    response.raw(MessageField.IS_ERROR).filter("true"::equals).isPresent();
            return answered(failed ? "tool-error" : "ok", 0, "");
        }

        private static RecordedOutcome answered(String word, int code, String error) {
            return new RecordedOutcome(word, Delivery.ANSWERED, "", code, error);
        }

        private static RecordedOutcome of(Failure failure) {
            if (failure.isToolError() && failure.code() == ErrorCode.INTERNAL_ERROR) {
                // A tool that throws gets this code; its client gets no code.
                return answered("tool-error", 0, failure.message());
            }
            int code = failure.serverError()
                    .map(ServerError::code)
                    .orElse(failure.code().jsonRpcCode());
            var reason = failure.code().name().toLowerCase(Locale.ROOT);
            var word = failure.isToolError() ? "tool-error" : "error";
            return new RecordedOutcome(word, failure.delivery(), reason, code, failure.message());
        }
    }

    /**
     * The level of each tool: that of the longest matching pattern; of two patterns with the same length, the one that
     * shows less.
     */
    static final class LevelRules {
        private static final Comparator<Pattern> BY_STRENGTH =
                Comparator.comparingInt(Pattern::length).reversed().thenComparing(Pattern::level);

        private final RecordSettings.Level defaultLevel;
        private final List<Pattern> patterns;

        private record Pattern(GlobPattern names, int length, RecordSettings.Level level) {}

        LevelRules(RecordSettings settings) {
            this.defaultLevel = settings.level();
            this.patterns = settings.levels().entrySet().stream()
                    .map(LevelRules::pattern)
                    .sorted(BY_STRENGTH)
                    .toList();
        }

        RecordSettings.Level of(AuditedCall call) {
            if (patterns.isEmpty()) {
                return defaultLevel;
            }
            var name = call.server().isEmpty() ? call.tool() : call.server() + "." + call.tool();
            return patterns.stream()
                    .filter(each -> each.names.matches(name))
                    .findFirst()
                    .map(Pattern::level)
                    .orElse(defaultLevel);
        }

        private static Pattern pattern(Map.Entry<String, RecordSettings.Level> entry) {
            return new Pattern(
                    GlobPattern.ofStars(entry.getKey()), entry.getKey().length(), entry.getValue());
        }
    }
}

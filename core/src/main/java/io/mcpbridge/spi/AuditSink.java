package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the record of who called what. Any thread may use it; nothing here waits.
 *
 * <p>Each call that is admitted has one {@link #enter} and one {@link #exit} with the same correlation id; one
 * that is not has a {@link #denied} or, where only its validation failed, an exit alone. A sink that has no room for a
 * record fails its completion at once, and says in the trail how many are missing as soon as it can.
 */
public interface AuditSink extends AutoCloseable {

    /** Records that a call is about to be dispatched; {@code durable} completes when the record is as safe as this sink makes it. */
    void enter(ToolEnter event, Completion durable);

    /** Records that a call has ended; {@code durable} completes when the record is as safe as this sink makes it. */
    void exit(ToolExit event, Completion durable);

    /** Records that a call was not admitted. */
    default void denied(ToolDenied event) {}

    /** Records an event beside calls that an operator must be able to prove. */
    default void note(AuditNote note) {}

    /** The durability of a record when its completion succeeds. */
    Durability durability();

    /** The current fault; a bridge whose sink has one is not healthy. Cheap; any thread. */
    default Optional<String> fault() {
        return Optional.empty();
    }

    /**
     * Whether no record can be written because of that {@link #fault}. Other faults concern something beside the records,
     * such as the removal of old ones. Cheap; any thread.
     */
    default boolean isStopped() {
        return fault().isPresent();
    }

    /** The current readings of the sink. Cheap; any thread. */
    default List<Measurement> readings() {
        return List.of();
    }

    /** Writes the records that it has accepted, as far as it can, and ends; may wait for the disk or the database. */
    @Override
    void close();

    /** The loss that a record survives when its completion succeeds. */
    enum Durability {
        /** It is not kept. */
        NONE,
        /** It survives the end of the process. */
        PROCESS,
        /** It survives the loss of power. */
        DEVICE
    }

    /**
     * An event beside calls that the trail must show.
     *
     * @param kind a stable word, such as {@code peer-refused}
     * @param details what belongs to it; no secrets. Where outsiders can bring it about as often as they like, only the
     *     1st, 2nd, 4th, 8th … time is noted, and {@code count} says how often it has happened by then
     */
    record AuditNote(String kind, Map<String, String> details) {
        /** A peer was refused; {@code user} and {@code reason} say which and why. */
        public static final String PEER_REFUSED = "peer-refused";

        /** Connections without purpose were pushed out, or there is no room for more. */
        public static final String CONNECTION_FLOOD = "connection-flood";

        /** A stream ended within a line, which was not executed. */
        public static final String LINE_TRUNCATED = "line-truncated";

        /** Something came that is no message, or too large, or too slow; it was not executed. */
        public static final String FRAME_REFUSED = "frame-refused";

        /** A client did not read its queued messages and lost its connection; {@code reason} says how slow it was. */
        public static final String SLOW_READER = "slow-reader";

        /** A server lists tools that are not approved as they are; {@code count} says how many, {@code tools} which first. */
        public static final String TOOL_QUARANTINED = "tool-quarantined";

        /** A server lists tools that an operator should look at, and that may be called; with the same details. */
        public static final String TOOL_FLAGGED = "tool-flagged";

        /** Records are missing here, since there was no room for them; {@code lost} says how many. */
        public static final String GAP = "gap";

        public AuditNote {
            details = Map.copyOf(details);
        }
    }

    /**
     * A call: what was asked of which server, and by whom. The records of one call share it. All values are as they came; the
     * sink decides which of them its records show, and in which form.
     *
     * @param correlationId of the call
     * @param method {@code tools/call}, {@code resources/read}, {@code prompts/get} or {@code completion/complete}
     * @param server the configured name of the server, or the empty string for one of our own and where it is not known
     * @param tool the name at its server of the tool or prompt, or the URI of the resource; the name that the client used where
     *     no server is known for it
     * @param definition the raw JSON of the tool as its server lists it, or the empty string where that is not known
     * @param sandbox how firmly the server's process is held, such as {@code L2}, or the empty string for one that is no child
     *     of ours
     * @param principal who calls
     * @param clientId the id that the client gave itself, or the empty string
     * @param trace that the call belongs to
     */
    record AuditedCall(
            String correlationId,
            String method,
            String server,
            String tool,
            String definition,
            String sandbox,
            Principal principal,
            String clientId,
            TraceParent trace) {

        /** A call to a server, which may be unknown. */
        public static AuditedCall of(Call call, String server, String tool, String definition, String sandbox) {
            var caller = call.caller();
            return new AuditedCall(
                    call.correlationId(),
                    call.request().method(),
                    server,
                    tool,
                    definition,
                    sandbox,
                    caller.principal(),
                    caller.clientId(),
                    call.trace());
        }
    }

    /**
     * The beginning of a call.
     *
     * @param arguments the raw JSON of the arguments; an empty object where there are none
     * @param continues the correlation id of the call that ended in a question, whose answer this one brings, or the empty
     *     string
     * @param nanoTime the monotonic reading
     */
    record ToolEnter(AuditedCall call, String arguments, String continues, long nanoTime) {}

    /**
     * The end of a call, which may have no beginning.
     *
     * @param duration from enter to exit; zero for a call that never entered
     * @param attempts how often its server was tried for this very call; zero where it was not, as with an answer that was
     *     kept or shared, or one to a question that an earlier call asked
     * @param outcome the answer or the failure
     */
    record ToolExit(AuditedCall call, Duration duration, int attempts, Outcome outcome) {}

    /**
     * A call that was not admitted.
     *
     * @param reason what forbids it
     */
    record ToolDenied(AuditedCall call, String reason) {}
}

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
 * Writes the audit records of calls. Any thread may use it; its methods do not block, except {@link #close}.
 *
 * <p>An admitted call has one {@link #enter} and one {@link #exit} with the same correlation id. A call that is not
 * admitted has a {@link #denied}, or only an exit if its validation failed. A sink without room for a record fails its
 * completion at once, and records the number of missing records in the trail as soon as possible.
 */
public interface AuditSink extends AutoCloseable {

    /** Records that a call is about to be dispatched; {@code durable} completes when the record is as safe as this sink makes it. */
    void enter(ToolEnter event, Completion durable);

    /** Records that a call has ended; {@code durable} completes when the record is as safe as this sink makes it. */
    void exit(ToolExit event, Completion durable);

    /** Records that a call was not admitted. */
    default void denied(ToolDenied event) {}

    /** Records an event that belongs to no call and that an operator must be able to prove. */
    default void note(AuditNote note) {}

    /** The durability of a record when its completion succeeds. */
    Durability durability();

    /** The current fault; a bridge whose sink has one is not healthy. Cheap; any thread. */
    default Optional<String> fault() {
        return Optional.empty();
    }

    /**
     * Whether the current {@link #fault} prevents all writing. Other faults do not affect new records, such as a
     * failure to remove old ones. Cheap; any thread.
     */
    default boolean isStopped() {
        return fault().isPresent();
    }

    /** The current measurements of the sink. Cheap; any thread. */
    default List<GaugeReading> readings() {
        return List.of();
    }

    /** Writes the accepted records as far as possible, and closes the sink; may block on the disk or the database. */
    @Override
    void close();

    /** The loss that a record survives when its completion succeeds. */
    enum Durability {
        /** The record is not stored. */
        NONE,
        /** The record survives the end of the process. */
        PROCESS,
        /** The record survives the loss of power. */
        DEVICE
    }

    /**
     * An audit record of an event that belongs to no call.
     *
     * @param kind a stable word, such as {@code peer-refused}
     * @param details its details, without secrets. If outsiders can cause the event at will, only the 1st, 2nd, 4th,
     *     8th … occurrence is recorded, and {@code count} is the number of occurrences so far
     */
    record AuditNote(String kind, Map<String, String> details) {
        /** A peer was rejected; the details are {@code user} and {@code reason}. */
        public static final String PEER_REFUSED = "peer-refused";

        /** Connections without purpose were pushed out, or there is no room for more. */
        public static final String CONNECTION_FLOOD = "connection-flood";

        /** A stream ended within a line, which was not executed. */
        public static final String LINE_TRUNCATED = "line-truncated";

        /** A frame was not a message, too large or too slow; it was not executed. */
        public static final String FRAME_REFUSED = "frame-refused";

        /** A client did not read its queued messages and lost its connection; {@code reason} tells how slow it was. */
        public static final String SLOW_READER = "slow-reader";

        /**
         * A server lists tools whose definitions are not approved; {@code count} is their number, {@code tools} has the
         * first names.
         */
        public static final String TOOL_QUARANTINED = "tool-quarantined";

        /** A server lists tools that an operator should review and that clients may call; with the same details. */
        public static final String TOOL_FLAGGED = "tool-flagged";

        /** Records are missing here, since there was no room for them; {@code lost} is their number. */
        public static final String GAP = "gap";

        public AuditNote {
            details = Map.copyOf(details);
        }
    }

    /**
     * A call in audit records: its method, server, tool and caller. The records of one call share it. All values are
     * unchanged input; the sink decides which of them its records contain, and in which form.
     *
     * @param correlationId the correlation id of the call
     * @param method {@code tools/call}, {@code resources/read}, {@code prompts/get}, {@code completion/complete}, or a
     *     method outside of the specification
     * @param server the configured name of the server, or the empty string if the bridge itself serves the call or the
     *     server is unknown
     * @param tool the server's own name of the tool or prompt, or the URI of the resource; the name that the client
     *     used if the server is unknown
     * @param definition the raw JSON of the tool as its server lists it, or the empty string if unknown
     * @param sandbox the sandbox level of the server's process, such as {@code L2}, or the empty string if it is no
     *     child of the bridge
     * @param principal the identity of the caller
     * @param clientId the id that the client gave itself, or the empty string
     * @param trace the trace that the call belongs to
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

        /** The values of {@code call} to a server, which may be unknown. */
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
     * @param arguments the raw JSON of the arguments; an empty object if there are none
     * @param continues the correlation id of the earlier call that ended with a request to the client, if this call has
     *     the answer; or the empty string
     * @param nanoTime the monotonic time in nanoseconds
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
     * @param reason the rule that forbids it
     */
    record ToolDenied(AuditedCall call, String reason) {}
}

package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.time.Duration;
import java.util.Optional;

/**
 * The storage of a trail: segments in a folder, or a table. For one thread, the writer's, except for {@link #durability},
 * {@link #fault}, {@link #isStopped} and {@link #abort}.
 */
public interface TrailStore {

    /** The durability of a record when {@link #append} has returned. */
    AuditSink.Durability durability();

    /** The current fault. */
    default Optional<String> fault() {
        return Optional.empty();
    }

    /** Whether that fault keeps records from being written. */
    default boolean isStopped() {
        return fault().isPresent();
    }

    /** The time for which a closed sink waits for the last records. */
    Duration closeTimeout();

    /** The time after which the completion of a record fails; zero for no limit. */
    default Duration recordTimeout() {
        return Duration.ZERO;
    }

    /** Ends the operation that the writer waits for, where that does no harm. */
    default void abort(Thread writer) {}

    /** Does what has to be done before the next group; a failure here does not fail the group. */
    default void beforeGroup() {}

    /**
     * Writes a group, which may be empty. When it returns, the records are as durable as the sink promises.
     *
     * @throws Exception if none of the records is in the trail, as far as the store knows
     */
    void append(RecordGroup group) throws Exception;

    /** Decides what becomes of a group that was not written, and reports the failure to the log and to health. */
    FailureAction onFailure(Throwable failure, RecordGroup group);

    /** The exit of a call will not be in the trail; its enter is written or lost. */
    default void onLostExit(String correlationId) {}

    /** Does what became due, such as a checkpoint. */
    default void afterGroup() {}

    /** Ends the trail; the writer calls nothing after it. */
    void close();

    /** Logs a note of a trail about itself: something is not as the last writer would have left it. */
    static void warn(System.Logger logger, String trail, AuditNote note) {
        var words = "[mcp-bridge] the audit trail '%s' was not ended regularly: %s %s";
        logger.log(System.Logger.Level.WARNING, words.formatted(trail, note.kind(), note.details()));
    }

    /** The action after a group could not be written. */
    sealed interface FailureAction {

        /** The cause, for the callers that wait for a record. */
        String why();

        /** The records are lost. */
        record Drop(String why) implements FailureAction {}

        /** The store cannot hold one of the records: each is tried alone, and one that fails alone is lost. */
        record Split(String why) implements FailureAction {}

        /** The same group is tried again after a pause. */
        record Retry(String why, Duration pause) implements FailureAction {}
    }
}

package io.mcpbridge.audit.internal;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.time.Duration;
import java.util.Optional;

/**
 * The storage of a trail: segments in a folder, or a table. For one thread, the writer's, except for {@link
 * #durability}, {@link #fault}, {@link #isStopped} and {@link #abort}.
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

    /** The time that a closed sink waits for its last records. */
    Duration closeTimeout();

    /** The time after which the completion of a record fails; zero for no limit. */
    default Duration recordTimeout() {
        return Duration.ZERO;
    }

    /** Aborts the operation that the writer waits for, if that is safe. */
    default void abort(Thread writer) {}

    /** Runs the work that is due before the next group; a failure here does not fail the group. */
    default void beforeGroup() {}

    /**
     * Writes a group, which may be empty. When it returns, the records are as durable as the sink promises.
     *
     * @throws Exception if none of the records is in the trail, as far as the store knows
     */
    void append(RecordGroup group) throws Exception;

    /**
     * Decides whether a group that was not written is dropped, split or retried, and reports the failure to the log and
     * to health.
     */
    FailureAction onFailure(Throwable failure, RecordGroup group);

    /** Receives a call whose exit is lost; its enter is written or lost. */
    default void onLostExit(String correlationId) {}

    /** Runs the work that is due after a group, such as a checkpoint. */
    default void afterGroup() {}

    /** Closes the store; the last call of the writer. */
    void close();

    /** Logs a note of a trail about itself as a warning: the trail is not as its last writer would have left it. */
    static void warn(System.Logger logger, String trail, AuditNote note) {
        var words = "[mcp-bridge] the audit trail '%s' was not ended regularly: %s %s";
        logger.log(System.Logger.Level.WARNING, words.formatted(trail, note.kind(), note.details()));
    }

    /** The action after a group could not be written. */
    sealed interface FailureAction permits FailureAction.Drop, FailureAction.Split, FailureAction.Retry {

        /** The cause, for the callers that wait for a record. */
        String why();

        /** Drops the group: its records are lost. */
        record Drop(String why) implements FailureAction {}

        /** Writes each record alone, since the store cannot hold one of them; a record that fails alone is lost. */
        record Split(String why) implements FailureAction {}

        /** Writes the same group again after a pause. */
        record Retry(String why, Duration pause) implements FailureAction {}
    }
}

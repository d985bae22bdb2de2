package io.mcpbridge.spi;

import java.util.List;
import java.util.Optional;

/**
 * Keeps the record of who called what. Any thread may use it; nothing here waits.
 *
 * <p>Each call that is admitted has one {@link #enter} and one {@link #exit} with the same correlation id; one
 * that is not has a {@link #denied} or, where only its validation failed, an exit alone. A sink that has no room for a
 * record fails its completion at once, and says in the trail how many are missing as soon as it can.
 */
public interface AuditSink extends AutoCloseable {

    /** A call is about to be dispatched; {@code durable} hears when the record is as safe as this sink makes it. */
    void enter(ToolEnter event, Completion durable);

    /** A call has ended. */
    void exit(ToolExit event, Completion durable);

    /** A call or a peer was turned away. */
    default void denied(ToolDenied event) {}

    /** Something else that an operator must be able to prove. */
    default void note(AuditNote note) {}

    /** What {@code durable} means here. */
    Durability durability();

    /** What it fails at, at this moment; a bridge with such a sink is not healthy. Cheap; any thread. */
    default Optional<String> trouble() {
        return Optional.empty();
    }

    /**
     * Whether that {@link #trouble} keeps records from being kept, rather than something beside them, such as the removal
     * of old ones. Cheap; any thread.
     */
    default boolean isStopped() {
        return trouble().isPresent();
    }

    /** What there is to see of it at this moment; cheap, from any thread. */
    default List<Reading> readings() {
        return List.of();
    }

    /** Keeps what it has taken, as far as it can, and ends; may wait for the place where records go. */
    @Override
    void close();

    /** How safe a record is when its completion is told. */
    enum Durability {
        /** It is not kept. */
        NONE,
        /** It survives the end of the process. */
        PROCESS,
        /** It survives the loss of power. */
        DEVICE
    }
}

package io.mcpbridge.spi;

/**
 * Keeps the record of who called what. Any thread may use it; nothing here waits.
 *
 * <p>Each call that is admitted has one {@link #enter} and one {@link #exit} with the same correlation id; one
 * that is not has a {@link #denied} or, where only its validation failed, an exit alone.
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

package io.mcpbridge.call;

import io.mcpbridge.message.Request;

/**
 * One client-visible request under way. Immutable, but for its {@link Cancellation}; any thread may use it.
 *
 * <p>The downstream session or the front door makes it. Stages pass it on, or a copy with a change.
 */
public final class Call {
    private final Request request;
    private final Caller caller;
    private final String correlationId;
    private final Deadline deadline;
    private final Metadata metadata;
    private final Cancellation cancellation;

    private Call(
            Request request,
            Caller caller,
            String correlationId,
            Deadline deadline,
            Metadata metadata,
            Cancellation cancellation) {
        this.request = request;
        this.caller = caller;
        this.correlationId = correlationId;
        this.deadline = deadline;
        this.metadata = metadata;
        this.cancellation = cancellation;
    }

    /** A call that nobody has withdrawn and that brings no metadata. */
    public static Call of(Request request, Caller caller, String correlationId, Deadline deadline) {
        return new Call(request, caller, correlationId, deadline, Metadata.EMPTY, new Cancellation());
    }

    public Request request() {
        return request;
    }

    public Caller caller() {
        return caller;
    }

    /** Follows the call through logs, events, audit and errors. */
    public String correlationId() {
        return correlationId;
    }

    /** When the caller stops waiting. */
    public Deadline deadline() {
        return deadline;
    }

    public Metadata metadata() {
        return metadata;
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    public Call withRequest(Request newRequest) {
        return new Call(newRequest, caller, correlationId, deadline, metadata, cancellation);
    }

    public Call withMetadata(Metadata newMetadata) {
        return new Call(request, caller, correlationId, deadline, newMetadata, cancellation);
    }

    public Call withDeadline(Deadline newDeadline) {
        return new Call(request, caller, correlationId, newDeadline, metadata, cancellation);
    }

    /** The same call with a cancellation of its own, for one attempt. */
    public Call withCancellation(Cancellation newCancellation) {
        return new Call(request, caller, correlationId, deadline, metadata, newCancellation);
    }
}

package io.mcpbridge.call;

import io.mcpbridge.message.Request;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Thread waiting;
    private final Arrival arrival;
    private final CallWatch watch;
    private final AttemptWatch attempt;
    private final @Nullable IdempotencyKey key;
    private final @Nullable Handler destination;
    private final @Nullable String exposedName;

    private Call(Draft draft) {
        this.request = draft.request;
        this.caller = draft.caller;
        this.correlationId = draft.correlationId;
        this.deadline = draft.deadline;
        this.metadata = draft.metadata;
        this.cancellation = draft.cancellation;
        this.waiting = draft.waiting;
        this.arrival = draft.arrival;
        this.watch = draft.watch;
        this.attempt = draft.attempt;
        this.key = draft.key;
        this.destination = draft.destination;
        this.exposedName = draft.exposedName;
    }

    /** A call that nobody has withdrawn and that brings no metadata. */
    public static Call of(Request request, Caller caller, String correlationId, Deadline deadline) {
        return new Call(new Draft(request, caller, correlationId, deadline));
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

    /** The headers that the request came with; they are not for servers. */
    public Metadata arrival() {
        return arrival.metadata();
    }

    /** Where it came from. */
    public Remote remote() {
        return arrival.remote();
    }

    public Cancellation cancellation() {
        return cancellation;
    }

    /** What is the same for all attempts; empty before there is one. */
    public Optional<IdempotencyKey> idempotencyKey() {
        return Optional.ofNullable(key);
    }

    /** Where the request leads, if that was looked up before: whoever would look it up hands the call on to this instead. */
    public Optional<Handler> destination() {
        return Optional.ofNullable(destination);
    }

    /** What its client calls the tool or prompt, where the request has its server's own name by now. */
    public Optional<String> exposedName() {
        return Optional.ofNullable(exposedName);
    }

    /**
     * Whether this very thread is the caller's and only waits for the outcome, so that it may be used for sending. On
     * any other thread, such as the one that resumes a parked call, the answer is no.
     */
    public boolean callerWaits() {
        return waiting == Thread.currentThread();
    }

    /** Who watches the call. */
    public CallWatch watch() {
        return watch;
    }

    /** Who watches the attempt that this is; nobody before it is one. */
    public AttemptWatch attempt() {
        return attempt;
    }

    public Call withWatch(CallWatch newWatch) {
        var draft = new Draft(this);
        draft.watch = newWatch;
        return new Call(draft);
    }

    /** The same call as one attempt, which is watched. */
    public Call withAttempt(AttemptWatch newAttempt) {
        var draft = new Draft(this);
        draft.attempt = newAttempt;
        return new Call(draft);
    }

    /** The same call, which came in like this. */
    public Call withArrival(Arrival newArrival) {
        var draft = new Draft(this);
        draft.arrival = newArrival;
        return new Call(draft);
    }

    /** The same call with another request, which may lead elsewhere. */
    public Call withRequest(Request newRequest) {
        var draft = new Draft(this);
        draft.request = newRequest;
        draft.destination = null;
        return new Call(draft);
    }

    /** The same call with a request that names the tool or prompt as its server does. */
    public Call renamed(Request newRequest, String exposed) {
        var draft = new Draft(withRequest(newRequest));
        draft.exposedName = exposed;
        return new Call(draft);
    }

    /** The same call on behalf of somebody else, such as the bridge itself where it asks in its caller's place. */
    public Call withCaller(Caller newCaller) {
        var draft = new Draft(this);
        draft.caller = newCaller;
        return new Call(draft);
    }

    public Call withMetadata(Metadata newMetadata) {
        var draft = new Draft(this);
        draft.metadata = newMetadata;
        return new Call(draft);
    }

    public Call withDeadline(Deadline newDeadline) {
        var draft = new Draft(this);
        draft.deadline = newDeadline;
        return new Call(draft);
    }

    /** The same call with a cancellation of its own, for one attempt. */
    public Call withCancellation(Cancellation newCancellation) {
        var draft = new Draft(this);
        draft.cancellation = newCancellation;
        return new Call(draft);
    }

    public Call withIdempotencyKey(IdempotencyKey newKey) {
        var draft = new Draft(this);
        draft.key = newKey;
        return new Call(draft);
    }

    /** The same call, whose request is known to lead there. */
    public Call withDestination(Handler newDestination) {
        var draft = new Draft(this);
        draft.destination = newDestination;
        return new Call(draft);
    }

    /** The same call, made by this thread, which does nothing but wait for it. */
    public Call withCallerWaiting() {
        var draft = new Draft(this);
        draft.waiting = Thread.currentThread();
        return new Call(draft);
    }

    /** The fields while a copy is made; never leaves this class. */
    private static final class Draft {
        private Request request;
        private Caller caller;
        private final String correlationId;
        private Deadline deadline;
        private Metadata metadata = Metadata.EMPTY;
        private Cancellation cancellation;
        private @Nullable Thread waiting;
        private Arrival arrival = Arrival.UNKNOWN;
        private CallWatch watch = CallWatch.NONE;
        private AttemptWatch attempt = AttemptWatch.NONE;
        private @Nullable IdempotencyKey key;
        private @Nullable Handler destination;
        private @Nullable String exposedName;

        private Draft(Request request, Caller caller, String correlationId, Deadline deadline) {
            this.request = request;
            this.caller = caller;
            this.correlationId = correlationId;
            this.deadline = deadline;
            this.cancellation = new Cancellation();
        }

        private Draft(Call from) {
            this.request = from.request;
            this.caller = from.caller;
            this.correlationId = from.correlationId;
            this.deadline = from.deadline;
            this.metadata = from.metadata;
            this.cancellation = from.cancellation;
            this.waiting = from.waiting;
            this.arrival = from.arrival;
            this.watch = from.watch;
            this.attempt = from.attempt;
            this.key = from.key;
            this.destination = from.destination;
            this.exposedName = from.exposedName;
        }
    }
}

package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Cause;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.SessionOwner;
import io.mcpbridge.engine.upstream.connection.PendingRequests.PendingRequest;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One transport connection to a server, with its requests in flight. Any thread may use it; only {@link #open}, {@link
 * #close} and {@link #kill} wait.
 *
 * <p>Each request ends exactly once: with its response, its own failure, its cancellation, or the end of the
 * connection. The owner opens the connection, runs a {@link ProtocolNegotiation}, and closes the connection, which
 * never reconnects.
 */
public final class ServerConnection {
    /** A connection that lasted this long counts as useful, even if it answered nothing. */
    private static final Duration USEFUL_AGE = Duration.ofSeconds(5);

    private final UpstreamContext context;
    private final Transport transport;
    private final Listener listener;
    private final Timekeeper timekeeper;
    private final PendingRequests pending;
    private final RequestWriter writer;
    private final ClientQuestions questions;
    private final ServerMessages messages;
    private final Pipeline ownAttempts;
    private final AtomicReference<@Nullable Runnable> onDrained = new AtomicReference<>();
    private volatile @Nullable SubscriptionStream subscriptions;
    private volatile Runnable onEnding = () -> {};

    /**
     * The answer of a server that no longer knew the session, which observers receive as the failure of the session.
     */
    private volatile @Nullable Failure sessionLoss;

    private volatile boolean isClosing;
    private volatile boolean hasAnswered;
    private volatile long readySince;
    private volatile long lastCall;
    private volatile long lastReceived;

    /** Receives what concerns the owner of a connection. Any thread; never waits. */
    public interface Listener {

        /** The connection has ended, and so have its calls. */
        void closed(ServerConnection connection, Closed why);

        /**
         * The server refused a request because of a wrong assumption. The listener ends the request or sends it again.
         */
        void rejected(ServerConnection connection, RejectedRequest request);

        /** The server sent a notification that belongs to no call. */
        void notified(ServerConnection connection, Notification notification);

        /** Returns the current client for server requests outside of calls. */
        SessionOwner owner();
    }

    /**
     * Makes a connection that is not open yet.
     *
     * @param caller whose credentials go with each message
     */
    public ServerConnection(UpstreamContext context, Transport transport, Caller caller, Listener listener) {
        this.context = context;
        this.transport = transport;
        this.listener = listener;
        this.timekeeper = context.environment().timekeeper();
        this.pending = new PendingRequests(timekeeper);
        this.writer = new RequestWriter(context, transport, caller, pending);
        this.questions = new ClientQuestions(context, writer, pending, listener::owner);
        this.messages = new ServerMessages(context, writer, pending, questions);
        // A connection that the server rejects as a whole must not serve the next attempt.
        this.ownAttempts = new Pipeline()
                .add(Position.RETRY, RetryStage.ofOwnRequests(new RecoveryPolicy(false), context.environment()));
    }

    /**
     * Connects; waits until {@code deadline} at the longest.
     *
     * @throws io.mcpbridge.failure.TransportException if the server cannot be reached or started
     * @throws InterruptedException if the waiting thread is interrupted
     */
    public void open(Deadline deadline) throws InterruptedException {
        questions.useOwnSender(this::sendOwn);
        transport.open(new ResponseHandler(), deadline);
    }

    /** The server's configured name. */
    String server() {
        return context.server();
    }

    public TransportTraits traits() {
        return transport.traits();
    }

    /** The connection as the leases of clients use it. */
    public ClientAffinity.Session clients() {
        return questions;
    }

    /** Whether all messages share one stream. */
    boolean sharesStream() {
        return writer.sharesStream();
    }

    /** Whether each request identifies its client, as in the modern era. */
    public boolean isModern() {
        return writer.isModern();
    }

    /** Whether each request stands alone, without a session at the server: modern requests over HTTP do. */
    public boolean isStateless() {
        return writer.isStateless();
    }

    private Era era() {
        return writer.isModern() ? Era.MODERN : Era.LEGACY;
    }

    /** Sets the dialect of all further messages, after the negotiation. */
    void speak(Dialect dialect, ServerProfile profile) {
        var now = timekeeper.nanoTime();
        readySince = now;
        lastCall = now;
        lastReceived = now;
        writer.speak(dialect, profile);
        if (!isModern() && profile.declares("logging")) {
            messages.useLogLevel(this::sendOwn);
        }
    }

    /** Sends a call, which leaves its place in the queue as it is written, and ends it once. */
    public void send(Call call, Reply reply, CallQueueLimit.Place place) {
        lastCall = timekeeper.nanoTime();
        messages.requestLogLevel(call.caller());
        begin(call, reply, place, () -> writer.call(call, pending.mintId()));
    }

    /** Sends a request of the bridge's own in the dialect of the connection; it is cancelled at its deadline. */
    public void sendOwn(Call call, Consumer<Outcome> then) {
        sendOwn(call, id -> message(call, id), then);
    }

    /**
     * The same in another dialect, such as the handshake.
     *
     * @param message makes the message of each attempt, which has an id of its own
     */
    void sendOwn(Call call, Function<MessageId, Outgoing> message, Consumer<Outcome> then) {
        UpstreamParts.sendOwn((sent, reply) -> handleOwn(sent, message, reply), call, then);
    }

    /** The same without an end at its deadline. */
    void handleOwn(Call call, Function<MessageId, Outgoing> message, Reply reply) {
        Next attempts = attempt -> begin(
                attempt,
                attempt,
                CallQueueLimit.Place.UNCOUNTED,
                () -> writer.own(attempt, message.apply(pending.mintId())));
        ownAttempts.handler(attempts, context.environment().logger()).handle(call, reply);
    }

    /** A request of the bridge's own in the dialect of the connection. */
    Outgoing message(Call call, MessageId id) {
        return writer.own(call, id);
    }

    /** Forgets a request that the server has cancelled, so that a late answer is ignored. */
    void forget(MessageId id) {
        var request = pending.takeCancelled(id);
        if (request != null) {
            release(request);
        }
    }

    private void begin(Call call, Reply reply, CallQueueLimit.Place place, Supplier<Outgoing> message) {
        if (call instanceof PipelineCall attempt) {
            context.parts().observers().watch(attempt, server());
        }
        Outgoing outgoing;
        try {
            outgoing = message.get();
        } catch (CallException notSent) {
            place.leave();
            reply.complete(Outcome.failed(notSent.failure().withServer(server())));
            return;
        }
        var request = new PendingRequest(call, reply, outgoing, place, timekeeper.nanoTime());
        var id = request.id();
        pending.add(request);
        var closed = pending.closeReason();
        if (closed.isPresent()) {
            fail(pending.take(id), closed.get().toFailure());
            return;
        }
        request.linkTo(call.cancellation().onCancel(reason -> cancel(id, reason)));
        if (pending.find(id) == null) {
            request.release();
            return;
        }
        request.handOver(transport);
    }

    /** Sends a notification or a response; without effect on a closed connection and where requests stand alone. */
    void sendOneWay(Message message) {
        writer.sendOneWay(message);
    }

    private void cancel(MessageId id, CancelReason reason) {
        var request = pending.takeCancelled(id);
        if (request == null) {
            return;
        }
        // Before the negotiation has ended, a legacy server understands no other message than the handshake.
        var isSilent = sharesStream() && !writer.isReady();
        var delivery = isSilent ? request.cancelSilently() : request.cancel(transport, reason.text());
        if (delivery == Delivery.NOT_SENT) {
            pending.forgetCancelled(id);
        }
        var why = cancelled(request.call(), reason).withDelivery(delivery);
        if (reason == CancelReason.TIMED_OUT && !request.isOwn()) {
            context.timeouts().accept(why);
        }
        fail(request, why);
    }

    private Failure cancelled(Call call, CancelReason reason) {
        var method = call.request().method();
        var what = method.equals(Methods.INITIALIZE)
                ? "the handshake with server '%s'".formatted(server())
                : "'%s' to server '%s'".formatted(method, server());
        var message = reason == CancelReason.TIMED_OUT
                ? "%s timed out after %d ms"
                        .formatted(what, call.deadline().span().toMillis())
                : "%s was withdrawn: %s".formatted(what, reason.text());
        return Failure.of(reason.code(), message);
    }

    /** Fails a request that was taken out of the table, if there was one. */
    private void fail(@Nullable PendingRequest request, Failure failure) {
        if (request != null) {
            release(request);
            request.reply().complete(Outcome.failed(request.corrected(failure).withServer(server())));
        }
    }

    /** Releases what belongs to a request that was taken out of the table, before its outcome is reported. */
    private void release(PendingRequest request) {
        request.release();
        questions.ended(request);
        runIfDrained();
    }

    /**
     * How a connection is used.
     *
     * @param calls how many calls are in flight
     * @param idle how long ago the last call was sent; since the handshake, if there was none
     * @param wasUseful whether it answered a call or lasted for a while; a server whose connections do not may end in a
     *     loop
     */
    public record Usage(int calls, Duration idle, boolean wasUseful) {

        /** Whether a call is in flight or was sent within this span. */
        public boolean isWithin(Duration span) {
            return calls > 0 || idle.compareTo(span) < 0;
        }
    }

    /** How it is used at this moment. */
    public Usage usage() {
        var idle = Duration.ofNanos(timekeeper.nanoTime() - lastCall);
        return new Usage(pending.calls(), idle, hasAnswered || age().compareTo(USEFUL_AGE) >= 0);
    }

    /** The log level that the server accepted last. */
    public Optional<LogLevel> logLevel() {
        return messages.logLevel();
    }

    /** Subscribes to list changes and to these resources at a modern server; the stream ends with the connection. */
    public void subscribe(ServerProfile profile, Set<String> uris) {
        var stream = new SubscriptionStream(
                this, context, profile, uris, notification -> listener.notified(this, notification));
        subscriptions = stream;
        stream.begin();
        if (isClosed()) {
            // The thread that closed it may not have seen the stream.
            stream.close();
        }
    }

    /** The change notifications that the bridge subscribes to here; empty in the legacy era. */
    public Optional<SubscriptionStream> subscriptions() {
        return Optional.ofNullable(subscriptions);
    }

    /** Runs {@code action} when the connection ends or the bridge begins to close it; at once if it has ended. */
    void onEnding(Runnable action) {
        onEnding = action;
        if (isClosed()) {
            action.run();
        }
    }

    /** Returns when the last message of the server arrived, in nanoseconds on the timekeeper's clock. */
    long lastReceived() {
        return lastReceived;
    }

    /** Whether a call is in flight. */
    boolean isBusy() {
        return pending.calls() > 0;
    }

    private Duration age() {
        return Duration.ofNanos(timekeeper.nanoTime() - readySince);
    }

    public boolean isClosed() {
        return pending.isClosed();
    }

    /** Why the connection ended; empty while it is open. */
    public Optional<Closed> closeReason() {
        return pending.closeReason();
    }

    /** Runs {@code action} once, as soon as no call is in flight; the owner sends no new calls. */
    public void drain(Runnable action) {
        subscriptions().ifPresent(SubscriptionStream::close);
        onDrained.set(action);
        runIfDrained();
    }

    private void runIfDrained() {
        if (onDrained.get() != null && pending.calls() == 0) {
            Optional.ofNullable(onDrained.getAndSet(null)).ifPresent(Runnable::run);
        }
    }

    /** Asks the server to end, without waiting; {@link #close} follows. */
    public void hangUp() {
        beginClosing();
        try {
            transport.hangUp();
        } catch (RuntimeException defect) {
            log("the transport of server '%s' failed as it was asked to end; it is closed all the same", defect);
        }
    }

    /** Closes the connection. */
    public void close() {
        close(transport::close);
    }

    /** Closes the connection without giving the server time to end. */
    public void kill() {
        close(transport::closeAtOnce);
    }

    /** Closes the transport. An exception is its defect, which must not keep calls from ending. */
    private void close(Runnable closing) {
        beginClosing();
        try {
            closing.run();
        } catch (RuntimeException | LinkageError defect) {
            log("the transport of server '%s' failed as it was closed", defect);
        } finally {
            terminate(Closed.byUs());
        }
    }

    private void beginClosing() {
        isClosing = true;
        // Silence of a closing transport is not silence of the server.
        onEnding.run();
    }

    /** Ends all requests at once, as the connection is of no more use; the transport stays to be closed. */
    void terminate(Closed why) {
        if (!pending.close(why)) {
            return;
        }
        questions.close();
        subscriptions().ifPresent(SubscriptionStream::close);
        onEnding.run();
        for (var request : pending.takeAll()) {
            var failure = why.toFailure().withDelivery(request.deliveryWithoutAnswer());
            context.parts().report(() -> fail(request, failure));
        }
        listener.closed(this, why);
        writer.version().ifPresent(version -> reportEnd(version, why));
    }

    /** Reports the end of the session to observers; stateless requests have none. */
    private void reportEnd(ProtocolVersion version, Closed why) {
        if (writer.isStateless()) {
            return;
        }
        context.parts().observers().ended(() -> {
            var traits = transport.traits();
            var ended = EndedSession.withServer(server(), version, age()).over(traits.network(), traits.address());
            var loss = sessionLoss;
            if (loss != null) {
                return ended.failed(loss);
            }
            return isClosing ? ended : ended.failed(why.toFailure());
        });
    }

    private void log(String message, Throwable defect) {
        context.environment().logger().log(Level.ERROR, "[mcp-bridge] " + message.formatted(server()), defect);
    }

    /** Matches what the transport receives with the requests in flight. */
    private final class ResponseHandler implements Transport.Receiver {

        @Override
        public void writing(Outgoing out) {
            if (out.message() instanceof Request request) {
                var sent = pending.find(request.id());
                if (sent != null) {
                    sent.markWritten();
                }
            }
        }

        @Override
        public void message(Message message, Optional<Outgoing> stream) {
            var now = timekeeper.nanoTime();
            lastReceived = now;
            if (message instanceof Response response) {
                answered(response, now);
            } else if (message instanceof Notification notification) {
                var isOfStream = subscriptions()
                        .filter(each -> each.received(notification, stream))
                        .isPresent();
                if (!isOfStream && !messages.deliver(notification, stream)) {
                    listener.notified(ServerConnection.this, notification);
                }
            } else if (message instanceof Request request) {
                messages.answer(request, stream);
            }
        }

        private void answered(Response response, long now) {
            var request = response.id().map(pending::take).orElse(null);
            if (request == null) {
                if (response.id().filter(pending::isLate).isEmpty()) {
                    context.dropped().count("an answer to no request of ours: " + response);
                }
                return;
            }
            release(request);
            if (writer.isReady() && !hasAnswered) {
                hasAnswered = true;
            }
            if (request.isOwn()) {
                request.reply().complete(Outcome.answered(response));
                return;
            }
            context.latencies().record(request.begun(), now);
            var cause = ResponseClassifier.rejection(response, era());
            if (cause.isPresent()) {
                reject(request, cause.get(), ResponseClassifier.rejected(cause.get(), server()), "");
            } else {
                request.reply().complete(ResponseClassifier.outcome(request.call(), response, server(), era()));
            }
        }

        @Override
        public void failed(Outgoing out, RequestFailure why) {
            if (!(out.message() instanceof Request message)) {
                if (!isClosing) {
                    context.dropped()
                            .count("a message that the server did not take: "
                                    + why.failure().message());
                }
                return;
            }
            var request = pending.take(message.id());
            if (request == null) {
                return;
            }
            var cause = rejection(request, why);
            if (cause.isEmpty()) {
                fail(request, why.failure());
                return;
            }
            release(request);
            var failure = cause.get() == Cause.UNAUTHORIZED ? why.failure() : request.corrected(why.failure());
            if (cause.get() == Cause.SESSION_LOST && sessionLoss == null) {
                sessionLoss = failure.withServer(server());
            }
            reject(
                    request,
                    cause.get(),
                    failure.withServer(server()),
                    why.challenge().orElse(""));
        }

        /** Returns the wrong assumption of the bridge behind a failure, if another attempt may succeed without it. */
        private Optional<Cause> rejection(PendingRequest request, RequestFailure why) {
            if (why.kind() == RequestFailure.Kind.SESSION_LOST) {
                return Optional.of(Cause.SESSION_LOST);
            }
            if (why.failure().status().orElse(0) == 401) {
                return Optional.of(Cause.UNAUTHORIZED);
            }
            // Stateless requests stand alone: where others are answered, only this one has failed.
            var mayBeLegacy = !request.isOwn()
                    && isModern()
                    && !hasAnswered
                    && pending.calls() == 0
                    && ResponseClassifier.isUnlikeModern(why.failure().status());
            return mayBeLegacy ? Optional.of(Cause.WRONG_ERA) : Optional.empty();
        }

        private void reject(PendingRequest request, Cause cause, Failure failure, String challenge) {
            listener.rejected(
                    ServerConnection.this,
                    new RejectedRequest(
                            cause, request.call(), request.reply(), request.outgoing(), failure, challenge));
        }

        @Override
        public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
            lastReceived = timekeeper.nanoTime();
            var request = answerTo.map(pending::take).orElse(null);
            if (request == null) {
                context.dropped().count("what is no message: " + why.getMessage());
                return;
            }
            fail(request, ResponseClassifier.unreadable(server(), String.valueOf(why.getMessage())));
        }

        @Override
        public void closed(Closed why) {
            terminate(why);
        }
    }
}

package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.upstream.connection.ClientQuestions.Origin;
import io.mcpbridge.engine.upstream.connection.PendingRequests.PendingRequest;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the unsolicited messages of a server: progress, log messages, and requests to clients. Sets
 * the log level of a legacy server. Any thread.
 *
 * <p>Each message reaches only the client whose call it belongs to. Where that is unknown the message is dropped, and a
 * request is rejected. A log message outside of all calls is left to the caller.
 */
final class ServerMessages {
    private static final Duration LOG_LEVEL_TIMEOUT = Duration.ofSeconds(30);
    private static final String NO_CLIENT = "";
    private static final Set<String> FOR_CLIENTS =
            Set.of(Methods.SAMPLING_CREATE_MESSAGE, Methods.ELICITATION_CREATE, Methods.ROOTS_LIST);

    private final RequestWriter writer;
    private final PendingRequests pending;
    private final ClientQuestions questions;
    private final UpstreamContext context;
    private final AtomicReference<LogLevels> logLevels = new AtomicReference<>(LogLevels.NONE);

    /** Sends a request of the bridge's own that sets the level; null if the server declares no logging. */
    private volatile @Nullable BiConsumer<Call, Consumer<Outcome>> levelSender;

    ServerMessages(UpstreamContext context, RequestWriter writer, PendingRequests pending, ClientQuestions questions) {
        this.context = context;
        this.writer = writer;
        this.pending = pending;
        this.questions = questions;
    }

    /**
     * Enables log levels for a legacy server that declares logging.
     *
     * @param sender sends a request of the bridge's own
     */
    void useLogLevel(BiConsumer<Call, Consumer<Outcome>> sender) {
        levelSender = sender;
    }

    /**
     * Keeps the level of the server at the most verbose one that any caller wants; callers that want less get less. A
     * new connection sets it with the first call that wants one.
     */
    void requestLogLevel(Caller caller) {
        var level = caller.logLevel();
        var sender = levelSender;
        if (sender != null && level.isPresent() && logLevels().isLessVerboseThan(level.get())) {
            logLevels.updateAndGet(levels -> levels.wanting(level.get()));
            sendLogLevel(sender);
        }
    }

    private void sendLogLevel(BiConsumer<Call, Consumer<Outcome>> sender) {
        var before = Objects.requireNonNull(logLevels.getAndUpdate(LogLevels::sending));
        before.due().ifPresent(level -> {
            var params = "{\"level\":\"" + level.text() + "\"}";
            var deadline =
                    Deadline.after(LOG_LEVEL_TIMEOUT, context.environment().timekeeper());
            var call = context.parts()
                    .call("level", Methods.LOGGING_SET_LEVEL, params, Caller.ANONYMOUS)
                    .withDeadline(deadline);
            sender.accept(call, outcome -> {
                var isAccepted = outcome instanceof Outcome.Answered answered
                        && !answered.response().isError();
                logLevels.updateAndGet(levels -> levels.answered(level, isAccepted));
                sendLogLevel(sender);
            });
        });
    }

    private LogLevels logLevels() {
        return Objects.requireNonNull(logLevels.get());
    }

    /** The log level that the server accepted last. */
    Optional<LogLevel> logLevel() {
        return Optional.ofNullable(logLevels().accepted());
    }

    /** Delivers a notification; false if it concerns the server as a whole, so that the caller has to deliver it. */
    boolean deliver(Notification notification, Optional<Outgoing> stream) {
        switch (notification.method()) {
            case Methods.PROGRESS -> progress(notification);
            case Methods.LOG_MESSAGE -> {
                var attribution = attribute(stream);
                // A message of a call that was cancelled lately may come after all others have ended.
                if (attribution.isOutsideCalls() && !pending.hasCancelledOfOthersThan(NO_CLIENT)) {
                    return false;
                }
                deliver(notification, attribution.request);
            }
            case Methods.CANCELLED ->
                notification
                        .raw(MessageField.CANCELLED_ID)
                        .flatMap(MessageId::parse)
                        .ifPresent(questions::cancelled);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void progress(Notification notification) {
        var token = notification.raw(MessageField.PROGRESS_TOKEN).flatMap(MessageId::parse);
        if (token.filter(pending::isCancelled).isPresent()) {
            // The server has sent it before it received the cancellation.
            return;
        }
        var request = token.map(pending::find)
                .filter(found -> found.call().request().has(MessageField.PROGRESS_TOKEN))
                .orElse(null);
        deliver(notification, request);
    }

    private void deliver(Notification notification, @Nullable PendingRequest request) {
        if (request == null) {
            context.dropped().count("a notification that belongs to no call: " + notification);
        } else {
            request.reply().event(notification);
        }
    }

    /** Answers a request of the server, or passes it to the client that can. */
    void answer(Request request, Optional<Outgoing> stream) {
        if (request.method().equals(Methods.PING)) {
            writer.sendOneWay(Response.result(request.id(), "{}"));
        } else if (writer.isModern()) {
            context.dropped().count("a request, which servers of this era must not send: " + request);
            questions.reject(request, "servers of revision 2026-07-28 ask with 'input_required' and send no requests");
        } else if (!FOR_CLIENTS.contains(request.method())) {
            questions.reject(request, "the bridge does not know the method '%s'".formatted(request.method()));
        } else {
            ask(request, stream);
        }
    }

    private void ask(Request request, Optional<Outgoing> stream) {
        var attribution = attribute(stream);
        if (attribution.isOutsideCalls() && stream.isEmpty()) {
            questions.askOutsideCalls(request);
            return;
        }
        var call = attribution.request;
        if (call == null) {
            questions.rejectWithoutClient(request, attribution.why());
        } else {
            questions.ask(call, request, stream.isPresent() ? Origin.OWN_STREAM : Origin.SHARED_STREAM);
        }
    }

    /**
     * The call or client that a message without a request id belongs to.
     *
     * @param request the latest call of the client it belongs to, if possible one that can be asked; null if unknown
     * @param why why it is unknown
     * @param isOutsideCalls whether no call of a client is in flight
     */
    private record Attribution(@Nullable PendingRequest request, String why, boolean isOutsideCalls) {}

    /**
     * Attributes a message to the call on whose stream it came, else to the only client with calls in flight.
     *
     * <p>Where two clients have calls in flight, or another client has cancelled a call lately, the owner is unknown.
     * Progress tokens in a request of the server are no hint: they are its own tokens, counted from one like ours.
     */
    private Attribution attribute(Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return new Attribution(pending.find(request.id()), "the call that it came for has ended", false);
        }
        var calls = pending.ofClients();
        var clients = calls.stream().map(PendingRequest::client).distinct().count();
        if (clients == 0) {
            return new Attribution(null, "no call is under way here that it could belong to", true);
        }
        if (clients > 1) {
            var why = "%d clients have calls under way here, and it does not say to which of them it belongs";
            return new Attribution(null, why.formatted(clients), false);
        }
        return pending.hasCancelledOfOthersThan(calls.get(0).client())
                ? new Attribution(null, ClientQuestions.CANCELLED_BY_ANOTHER, false)
                : new Attribution(latest(calls), "", false);
    }

    /** The latest of those calls whose client can be asked, else of all: in some methods no client can. */
    private static PendingRequest latest(List<PendingRequest> calls) {
        var byAge = Comparator.comparing(
                        (PendingRequest call) -> call.call().caller().canBeAsked())
                .thenComparing(PendingRequest::number);
        return Collections.max(calls, byAge);
    }

    /**
     * The log levels of one server, which gets one at a time, since a second request might overtake the first.
     * Immutable.
     *
     * @param wanted the most verbose level that any caller wants
     * @param accepted the level that the server accepted last
     * @param isSending whether a request is in flight
     */
    private record LogLevels(
            @Nullable LogLevel wanted, @Nullable LogLevel accepted, boolean isSending) {
        private static final LogLevels NONE = new LogLevels(null, null, false);

        private boolean isLessVerboseThan(LogLevel level) {
            return wanted == null || !level.isAtLeast(wanted);
        }

        private LogLevels wanting(LogLevel level) {
            return isLessVerboseThan(level) ? new LogLevels(level, accepted, isSending) : this;
        }

        /** The level to be sent, unless the server has it or a request is in flight. */
        private Optional<LogLevel> due() {
            return isSending || wanted == accepted ? Optional.empty() : Optional.ofNullable(wanted);
        }

        private LogLevels sending() {
            return due().isPresent() ? new LogLevels(wanted, accepted, true) : this;
        }

        private LogLevels answered(LogLevel level, boolean isAccepted) {
            // What the server refused is sent again with the next call that asks, rather than at once.
            var next = isAccepted || wanted != level ? wanted : accepted;
            return new LogLevels(next, isAccepted ? level : accepted, false);
        }
    }
}

package io.mcpbridge.cli.relay;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a daemon with its pending requests. When it closes, it returns those that may be sent again:
 * requests that were not written, and idempotent ones. Thread-safe.
 */
final class DaemonConnection implements Transport.Receiver, AutoCloseable {
    /** Longer than any call that the daemon allows, so that the daemon's deadline decides. */
    private static final Duration WRITE_DEADLINE = Duration.ofMinutes(15);

    private static final Duration REPLAY_TIMEOUT = Duration.ofSeconds(10);

    private static final Set<String> IDEMPOTENT = Set.of(
            Methods.INITIALIZE,
            Methods.PING,
            Methods.SERVER_DISCOVER,
            Methods.SUBSCRIPTIONS_LISTEN,
            Methods.TOOLS_LIST,
            Methods.RESOURCES_LIST,
            Methods.RESOURCES_TEMPLATES_LIST,
            Methods.PROMPTS_LIST,
            Methods.LOGGING_SET_LEVEL,
            Methods.RESOURCES_SUBSCRIBE,
            Methods.RESOURCES_UNSUBSCRIBE);

    private final Transport transport;
    private final Timekeeper timekeeper;
    private final ReconnectingChannel owner;
    private final Map<MessageId, PendingRequest> pending = new ConcurrentHashMap<>();
    private final AtomicLong lastNumber = new AtomicLong();

    private volatile boolean isClosed;

    DaemonConnection(Transport transport, Timekeeper timekeeper, ReconnectingChannel owner) {
        this.transport = transport;
        this.timekeeper = timekeeper;
        this.owner = owner;
    }

    /** Connects; blocks until {@code deadline} at most. */
    void open(Deadline deadline) throws InterruptedException {
        transport.open(this, deadline);
    }

    boolean isClosed() {
        return isClosed;
    }

    void send(Message message) {
        if (message instanceof Request request) {
            send(new PendingRequest(lastNumber.incrementAndGet(), request, null, new AtomicBoolean()));
        } else {
            transport.send(outgoing(message));
        }
    }

    private void send(PendingRequest request) {
        var id = request.message.id();
        pending.put(id, request);
        if (isClosed) {
            // The connection may have closed before the request was registered.
            take(id).ifPresent(taken -> finish(List.of(taken), Closed.byUs()));
        } else {
            transport.send(outgoing(request.message));
        }
    }

    private Outgoing outgoing(Message message) {
        return Outgoing.of(message, ProtocolVersion.LATEST_LEGACY, Deadline.after(WRITE_DEADLINE, timekeeper));
    }

    /**
     * Restores a session: sends the requests one after the other and keeps the responses, which the client has received
     * before. Blocks until each has its response.
     */
    void replay(List<Request> requests) throws InterruptedException {
        for (int i = 0; i < requests.size(); i++) {
            var request = SessionState.withId(requests.get(i), MessageId.of("mcp-bridge-connect-" + i));
            var answer = new CompletableFuture<Response>();
            send(new PendingRequest(lastNumber.incrementAndGet(), request, answer, new AtomicBoolean()));
            var response = await(answer, request.method());
            if (request.method().equals(Methods.INITIALIZE)) {
                if (response.isError()) {
                    throw CallException.of(JsonRpcErrorMapper.toFailure(response));
                }
                send(Notification.of(Methods.INITIALIZED));
            }
        }
    }

    private static Response await(CompletableFuture<Response> answer, String method) throws InterruptedException {
        try {
            return answer.get(REPLAY_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            var message = "the daemon did not answer '%s' within %d ms";
            throw CallException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message.formatted(method, REPLAY_TIMEOUT.toMillis())));
        } catch (ExecutionException gone) {
            throw gone.getCause() instanceof CallException why
                    ? why
                    : new IllegalStateException("the handshake with the daemon failed with a defect", gone.getCause());
        }
    }

    @Override
    public void writing(Outgoing out) {
        if (out.message() instanceof Request request) {
            Optional.ofNullable(pending.get(request.id())).ifPresent(each -> each.isWritten.set(true));
        }
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        var replayed = message instanceof Response response
                ? response.id().flatMap(this::take).map(taken -> taken.replay).orElse(null)
                : null;
        if (replayed == null) {
            owner.received(message);
        } else {
            replayed.complete((Response) message);
        }
    }

    @Override
    public void failed(Outgoing out, RequestFailure why) {
        if (out.message() instanceof Request request) {
            take(request.id()).ifPresent(taken -> fail(taken, why.failure()));
        }
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        answerTo.flatMap(this::take).ifPresent(taken -> fail(taken, why.failure()));
    }

    @Override
    public void closed(Closed why) {
        isClosed = true;
        finish(takeAll(), why);
    }

    private void finish(List<PendingRequest> requests, Closed why) {
        var unsent = new ArrayList<Message>();
        for (var request : requests) {
            if (request.replay != null) {
                fail(request, why.toFailure());
            } else if (request.mayBeSentAgain()) {
                unsent.add(request.message);
            } else {
                fail(request, inDoubt(why));
            }
        }
        owner.closed(this, unsent, why);
    }

    private void fail(PendingRequest request, Failure why) {
        if (request.replay == null) {
            owner.failed(request.message.id(), why);
        } else {
            request.replay.completeExceptionally(CallException.of(why));
        }
    }

    private static Failure inDoubt(Closed why) {
        var message = "the connection to the daemon was lost while the request was in flight; it may have run: %s";
        return Failure.of(ErrorCode.IN_DOUBT, message.formatted(why.reason())).withDelivery(Delivery.UNKNOWN);
    }

    private Optional<PendingRequest> take(MessageId id) {
        return Optional.ofNullable(pending.remove(id));
    }

    /** In the order in which they were sent. */
    private List<PendingRequest> takeAll() {
        return List.copyOf(pending.keySet()).stream()
                .map(this::take)
                .flatMap(Optional::stream)
                .sorted(Comparator.comparingLong(request -> request.number))
                .toList();
    }

    /**
     * A request without response.
     *
     * @param replay the future response of a request that restores the session; null for a request of the client
     */
    private record PendingRequest(
            long number, Request message, @Nullable CompletableFuture<Response> replay, AtomicBoolean isWritten) {
        private boolean mayBeSentAgain() {
            return !isWritten.get() || IDEMPOTENT.contains(message.method());
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}

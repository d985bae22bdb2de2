package io.mcpbridge.cli.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection to a daemon with its requests in flight. Tells at its end which of them may be sent once more: those
 * of which no byte left, and those that do no harm twice. Any thread.
 */
final class DaemonConnection implements Transport.Receiver, AutoCloseable {
    /** Longer than any call that the daemon allows, whose own deadline then decides. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final Set<String> HARMLESS = Set.of(
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

    /** Hears what comes over the connection. */
    interface Owner {

        void said(Message message);

        void failed(MessageId id, Failure why);

        /**
         * The connection is over.
         *
         * @param unsent what may be sent over another one, in order
         */
        void over(DaemonConnection connection, List<Message> unsent, Closed why);
    }

    private final Transport transport;
    private final Timekeeper timekeeper;
    private final Owner owner;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<MessageId, Flight> flights = new LinkedHashMap<>();

    private volatile boolean isOver;

    DaemonConnection(Transport transport, Timekeeper timekeeper, Owner owner) {
        this.transport = transport;
        this.timekeeper = timekeeper;
        this.owner = owner;
    }

    /** Connects, waiting until {@code deadline} at the longest. */
    void open(Deadline deadline) throws InterruptedException {
        transport.open(this, deadline);
    }

    boolean isOver() {
        return isOver;
    }

    void send(Message message) {
        if (message instanceof Request request) {
            var flight = new Flight(request);
            lock.lock();
            try {
                flights.put(request.id(), flight);
            } finally {
                lock.unlock();
            }
            if (isOver) {
                // The end may have passed by before the request was in the table.
                giveBack(request);
                return;
            }
        }
        transport.send(Outgoing.of(message, ProtocolVersion.LATEST_LEGACY, Deadline.after(PATIENCE, timekeeper)));
    }

    @Override
    public void written(Outgoing out) {
        if (out.message() instanceof Request request) {
            lock.lock();
            try {
                Optional.ofNullable(flights.get(request.id())).ifPresent(Flight::markWritten);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        if (message instanceof Response response) {
            response.id().ifPresent(this::take);
        }
        owner.said(message);
    }

    @Override
    public void failed(Outgoing out, TransportFailure why) {
        if (out.message() instanceof Request request) {
            take(request.id()).ifPresent(flight -> owner.failed(request.id(), why.failure()));
        }
    }

    private void giveBack(Request unsent) {
        take(unsent.id()).ifPresent(flight -> owner.over(this, List.of(unsent), Closed.byUs()));
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        answerTo.flatMap(this::take).ifPresent(flight -> owner.failed(flight.request.id(), why.failure()));
    }

    @Override
    public void closed(Closed why) {
        isOver = true;
        var unsent = new ArrayList<Message>();
        for (var flight : takeAll()) {
            if (flight.mayBeSentAgain()) {
                unsent.add(flight.request);
            } else {
                owner.failed(flight.request.id(), inDoubt(why));
            }
        }
        owner.over(this, unsent, why);
    }

    private static Failure inDoubt(Closed why) {
        var message = "the daemon was lost while the request was under way, which may have run: %s";
        return Failure.of(ErrorCode.IN_DOUBT, message.formatted(why.reason())).withDelivery(Delivery.UNKNOWN);
    }

    private Optional<Flight> take(MessageId id) {
        lock.lock();
        try {
            return Optional.ofNullable(flights.remove(id));
        } finally {
            lock.unlock();
        }
    }

    private List<Flight> takeAll() {
        lock.lock();
        try {
            var all = List.copyOf(flights.values());
            flights.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** A request without an answer. */
    private static final class Flight {
        private final Request request;
        private volatile boolean isWritten;

        private Flight(Request request) {
            this.request = request;
        }

        private void markWritten() {
            isWritten = true;
        }

        private boolean mayBeSentAgain() {
            return !isWritten || HARMLESS.contains(request.method());
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}

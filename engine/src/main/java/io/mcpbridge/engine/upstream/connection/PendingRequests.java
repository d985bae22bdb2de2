package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection that have no outcome yet, by the id that the bridge minted. Any thread.
 *
 * <p>Only the thread that {@linkplain #take takes} a request out ends it, so each request ends once. Ids are never
 * reused, so an answer finds its own request or none. The table also remembers recently cancelled requests, because a
 * server may still send messages for them.
 */
final class PendingRequests {
    /** For how long a server may send messages for a request after its cancellation; it need not answer. */
    private static final Duration CANCELLED_EXPIRY = Duration.ofSeconds(60);

    /** How many cancelled requests are remembered; most of them are never answered. */
    private static final int MAX_CANCELLED = 1_024;

    /** The number for a foreign id; the bridge's own ids count from 1. */
    private static final long NO_NUMBER = 0;

    private final ConcurrentHashMap<Long, PendingRequest> requests = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicReference<@Nullable Closed> closed = new AtomicReference<>();
    private final Timekeeper timekeeper;

    /**
     * The requests that were cancelled and that the server may still work on, the oldest first: its messages for them
     * must not reach another client. Locks itself.
     */
    private final Map<MessageId, Cancelled> cancelled = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<MessageId, Cancelled> eldest) {
            return size() > MAX_CANCELLED;
        }
    });

    /** @param client whose call it is; the empty string for a request of the bridge's own */
    private record Cancelled(String client, Deadline until) {}

    PendingRequests(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    MessageId mintId() {
        return MessageId.of(lastId.incrementAndGet());
    }

    void add(PendingRequest request) {
        requests.put(request.number(), request);
    }

    /** The request with this id, which stays in the table. */
    @Nullable
    PendingRequest find(MessageId id) {
        return requests.get(id.asLong().orElse(NO_NUMBER));
    }

    /** Takes out the request with this id; only one thread gets it, and that thread ends it. */
    @Nullable
    PendingRequest take(MessageId id) {
        return requests.remove(id.asLong().orElse(NO_NUMBER));
    }

    /** Takes out a cancelled request, and remembers its client until the server has finished it. */
    @Nullable
    PendingRequest takeCancelled(MessageId id) {
        var request = find(id);
        if (request != null) {
            // Remembers it before it is taken out, so that no message for it reaches another client in between.
            cancelled.put(id, new Cancelled(request.client(), Deadline.after(CANCELLED_EXPIRY, timekeeper)));
        }
        var taken = take(id);
        if (taken == null) {
            cancelled.remove(id);
        }
        return taken;
    }

    /** Takes out every request. */
    List<PendingRequest> takeAll() {
        return List.copyOf(requests.values()).stream()
                .filter(request -> requests.remove(request.number(), request))
                .toList();
    }

    /**
     * Notes that the connection has ended; false if it had before. A request that is added later must be taken out
     * again.
     */
    boolean close(Closed why) {
        return closed.compareAndSet(null, why);
    }

    /** Why the connection ended; empty while it is open. */
    Optional<Closed> closeReason() {
        return Optional.ofNullable(closed.get());
    }

    boolean isClosed() {
        return closed.get() != null;
    }

    /** Whether this request has no outcome yet. */
    boolean contains(PendingRequest request) {
        return requests.get(request.number()) == request;
    }

    /** How many calls are in flight; the bridge's own requests do not count. */
    int calls() {
        return (int)
                requests.values().stream().filter(request -> !request.isOwn()).count();
    }

    /** The calls of clients; the bridge's own requests belong to none. */
    List<PendingRequest> ofClients() {
        return requests.values().stream()
                .filter(request -> !request.client().isEmpty())
                .toList();
    }

    /** Forgets a cancelled request that the server never received, and so sends nothing for. */
    void forgetCancelled(MessageId id) {
        cancelled.remove(id);
    }

    /** Whether the request was cancelled lately and has no answer yet. */
    boolean isCancelled(MessageId id) {
        return cancelled.containsKey(id);
    }

    /** Whether an answer belongs to a cancelled request, and so is expected; call it once for each answer. */
    boolean isLate(MessageId id) {
        return cancelled.remove(id) != null;
    }

    /** Whether the server may still work on a call that a client other than this one has cancelled. */
    boolean hasCancelledOfOthersThan(String client) {
        synchronized (cancelled) {
            return cancelled.values().stream()
                    .anyMatch(each -> !each.client.isEmpty() && !each.client.equals(client) && !each.until.isExpired());
        }
    }

    /** Whether clients other than this one have calls in flight, or have cancelled some lately. */
    boolean hasOfOthersThan(String client) {
        return hasCancelledOfOthersThan(client)
                || ofClients().stream().anyMatch(request -> !request.client().equals(client));
    }

    /** Renames a client. */
    void renameClient(String from, String to) {
        cancelled.replaceAll((id, each) -> each.client.equals(from) ? new Cancelled(to, each.until) : each);
    }

    /** One request from the moment it is written to a transport until it has an outcome. Any thread. */
    static final class PendingRequest {
        private static final String CANCELLED_MEANWHILE = "withdrawn while it was sent";

        /** The owner of the request. */
        private enum Stage {
            /** The bridge has it. */
            CREATED,
            /** A thread is passing it to the transport. */
            HANDING_OVER,
            /** The transport has it. */
            SENT,
            /** The transport never receives it, or has to drop it. */
            CANCELLED
        }

        private final Call call;
        private final Reply reply;
        private final Outgoing outgoing;
        private final CallQueueLimit.Place place;
        private final long begun;
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.CREATED);
        private volatile boolean written;
        private volatile Cancellation.@Nullable Registration cancellation;

        /** @param begun when it began, in nanoseconds on the connection's clock */
        PendingRequest(Call call, Reply reply, Outgoing outgoing, CallQueueLimit.Place place, long begun) {
            this.call = call;
            this.reply = reply;
            this.outgoing = outgoing;
            this.place = place;
            this.begun = begun;
        }

        /** When it began, in nanoseconds on the connection's clock. */
        long begun() {
            return begun;
        }

        /** Whether the bridge made it for itself, such as a handshake, rather than for a call. */
        boolean isOwn() {
            return place == CallQueueLimit.Place.UNCOUNTED;
        }

        Call call() {
            return call;
        }

        Reply reply() {
            return reply;
        }

        Outgoing outgoing() {
            return outgoing;
        }

        /** Returns the bridge's name for the client of the call; the empty string for the bridge's own requests. */
        String client() {
            return call.caller().session();
        }

        MessageId id() {
            return ((Request) outgoing.message()).id();
        }

        /** The number in its id; later requests have higher numbers. */
        long number() {
            return id().asLong().orElseThrow();
        }

        /** Passes the request to the transport, unless it was cancelled before. */
        void handOver(Transport transport) {
            if (!stage.compareAndSet(Stage.CREATED, Stage.HANDING_OVER)) {
                return;
            }
            transport.send(outgoing);
            if (!stage.compareAndSet(Stage.HANDING_OVER, Stage.SENT)) {
                // A concurrent cancel() may have reached the transport before the request did.
                transport.abandon(outgoing, CANCELLED_MEANWHILE);
            }
        }

        /** Takes the request back from the transport or cancels it there; returns how far it got. */
        Delivery cancel(Transport transport, String reason) {
            if (stage.compareAndSet(Stage.CREATED, Stage.CANCELLED)) {
                return Delivery.NOT_SENT;
            }
            if (call.request().method().equals(Methods.INITIALIZE)) {
                // The specification forbids cancelling it; the bridge closes the connection instead.
                return Delivery.UNKNOWN;
            }
            if (transport.abandon(outgoing, reason)) {
                return Delivery.NOT_SENT;
            }
            if (!written && !stage.compareAndSet(Stage.HANDING_OVER, Stage.CANCELLED)) {
                transport.abandon(outgoing, reason);
            }
            return Delivery.UNKNOWN;
        }

        /** Ends the request without a message to the server; returns how far it got. */
        Delivery cancelSilently() {
            return stage.compareAndSet(Stage.CREATED, Stage.CANCELLED) ? Delivery.NOT_SENT : Delivery.UNKNOWN;
        }

        void markWritten() {
            written = true;
            place.leave();
        }

        void linkTo(Cancellation.Registration registration) {
            cancellation = registration;
        }

        /** Releases its place in the queue and its link to the call's cancellation. */
        void release() {
            place.leave();
            var current = cancellation;
            if (current != null) {
                current.remove();
            }
        }

        /** Returns the delivery of a request without an answer. */
        Delivery deliveryWithoutAnswer() {
            return written ? Delivery.UNKNOWN : Delivery.NOT_SENT;
        }

        /** Returns the failure with a consistent delivery: a request that was written cannot count as not sent. */
        Failure corrected(Failure failure) {
            var contradicts = written && failure.delivery() == Delivery.NOT_SENT;
            return contradicts ? failure.withDelivery(Delivery.UNKNOWN) : failure;
        }
    }
}

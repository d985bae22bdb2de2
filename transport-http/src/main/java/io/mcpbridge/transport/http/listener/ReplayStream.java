package io.mcpbridge.transport.http.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange.Offer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One event stream of a session. It outlives its connection and buffers, within bounds, the events that were sent and
 * those for a client that is not connected. Any thread may use it.
 *
 * <p>Its owner is the exchange that produces its messages. Its carrier is the exchange whose connection they are
 * written to; this is the owner until the connection breaks.
 */
final class ReplayStream {
    private final String name;
    private final boolean isListening;
    private final ReplayBudget budget;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Stored> kept = new ArrayDeque<>();

    @GuardedBy("lock")
    private HttpExchange owner;

    @GuardedBy("lock")
    private @Nullable HttpExchange carrier;

    @GuardedBy("lock")
    private long last;

    @GuardedBy("lock")
    private boolean isEnded;

    @GuardedBy("lock")
    private boolean isDropped;

    ReplayStream(String name, HttpExchange owner, boolean isListening, ReplayBudget budget) {
        this.name = name;
        this.owner = owner;
        this.carrier = owner;
        this.isListening = isListening;
        this.budget = budget;
    }

    /** The event id that precedes the first event. */
    String firstId() {
        return name + "-0";
    }

    /** Sends an event of {@code from}, or buffers it until the client resumes the stream. */
    Offer offer(HttpExchange from, Message message) {
        lock.lock();
        try {
            if (isEnded || from != owner) {
                return Offer.FULL;
            }
            var event = ResponseEncoder.event(name + "-" + (last + 1), message);
            if (carrier != null && !carrier.hasRoomFor(event)) {
                return Offer.FULL;
            }
            boolean isKept = keep(message);
            if (carrier == null) {
                return isKept ? Offer.QUEUED : Offer.FULL;
            }
            return carrier.write(event);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the stream, with a last message if there is one; a connection without room for it is closed.
     *
     * @return false if {@code from} is not the owner
     */
    boolean end(HttpExchange from, Optional<Message> message) {
        lock.lock();
        try {
            if (from != owner) {
                return false;
            }
            if (isEnded) {
                return true;
            }
            isEnded = true;
            message.ifPresent(this::keep);
            finishCarrier(message.map(answer -> ResponseEncoder.event(name + "-" + last, answer)));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Writes a comment, which keeps a silent stream alive. */
    void comment(HttpExchange on) {
        lock.lock();
        try {
            if (!isEnded && carrier == on) {
                on.write(ResponseEncoder.comment());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Resumes the stream on {@code to}, after the event with that number. */
    void attach(HttpExchange to, long after) {
        lock.lock();
        try {
            if (carrier != to) {
                finishCarrier(Optional.empty());
            }
            carrier = to;
            if (isListening) {
                owner = to;
                isEnded = false;
            }
            kept.stream()
                    .filter(each -> each.number > after)
                    .forEach(each -> to.write(ResponseEncoder.event(name + "-" + each.number, each.message)));
            if (isEnded) {
                finishCarrier(Optional.empty());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the response of the carrier. */
    @GuardedBy("lock")
    private void finishCarrier(Optional<ResponseEncoder.EncodedPart> last) {
        var finishing = carrier;
        carrier = null;
        if (finishing != null) {
            finishing.finishStream(last);
        }
    }

    /** Called when the connection of {@code from} has ended; false if it was no longer the carrier. */
    boolean detach(HttpExchange from) {
        lock.lock();
        try {
            boolean isCarrier = carrier == from;
            carrier = isCarrier ? null : carrier;
            return isCarrier;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the stream has ended and no event follows the one with that number. */
    boolean isOverAfter(long number) {
        lock.lock();
        try {
            return isEnded && !isListening && kept.stream().noneMatch(each -> each.number > number);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether the stream may be dropped if its client does not resume it: it has ended, or has no request to answer.
     */
    boolean isExpendable() {
        lock.lock();
        try {
            return isEnded || (isListening && carrier == null);
        } finally {
            lock.unlock();
        }
    }

    /** Drops the buffered events. */
    void drop() {
        lock.lock();
        try {
            isDropped = true;
            kept.forEach(each -> budget.giveBack(each.message.length()));
            kept.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Numbers and buffers the message; false if there is no room, even after dropping older messages of this stream.
     */
    @GuardedBy("lock")
    private boolean keep(Message message) {
        last++;
        if (isDropped) {
            return false;
        }
        while (!budget.take(message.length())) {
            var oldest = kept.poll();
            if (oldest == null) {
                return false;
            }
            budget.giveBack(oldest.message.length());
        }
        kept.add(new Stored(last, message));
        return true;
    }

    private record Stored(long number, Message message) {}
}

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
 * One event stream of a session, which outlives its connection: what was sent is kept, within bounds, and what
 * comes while nobody listens too. Any thread may use it.
 *
 * <p>It has one owner, the exchange whose messages it carries, and at most one outlet, the exchange on whose
 * connection they leave; both are the same until the connection breaks.
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
    private @Nullable HttpExchange outlet;

    @GuardedBy("lock")
    private long last;

    @GuardedBy("lock")
    private boolean isEnded;

    @GuardedBy("lock")
    private boolean isDropped;

    ReplayStream(String name, HttpExchange owner, boolean isListening, ReplayBudget budget) {
        this.name = name;
        this.owner = owner;
        this.outlet = owner;
        this.isListening = isListening;
        this.budget = budget;
    }

    /** The id of the event before the first. */
    String firstId() {
        return name + "-0";
    }

    String name() {
        return name;
    }

    /** Sends an event of {@code from}, or keeps it for when the client comes back. */
    Offer offer(HttpExchange from, Message message) {
        lock.lock();
        try {
            if (isEnded || from != owner) {
                return Offer.FULL;
            }
            var event = HttpText.event(name + "-" + (last + 1), message);
            if (outlet != null && !outlet.hasRoomFor(event)) {
                return Offer.FULL;
            }
            boolean isKept = keep(message);
            if (outlet == null) {
                return isKept ? Offer.QUEUED : Offer.FULL;
            }
            return outlet.write(event);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the stream with the message, where there is one; a connection with no room for it breaks.
     *
     * @return false if the stream is not that of {@code from}, which only listens to it
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
            finishOutlet(message.map(answer -> HttpText.event(name + "-" + last, answer)));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Writes what keeps a silent stream alive. */
    void comment(HttpExchange on) {
        lock.lock();
        try {
            if (!isEnded && outlet == on) {
                on.write(HttpText.comment());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Goes on with {@code to}, after the event of that number. */
    void attach(HttpExchange to, long after) {
        lock.lock();
        try {
            if (outlet != to) {
                finishOutlet(Optional.empty());
            }
            outlet = to;
            if (isListening) {
                owner = to;
                isEnded = false;
            }
            kept.stream()
                    .filter(each -> each.number > after)
                    .forEach(each -> to.write(HttpText.event(name + "-" + each.number, each.message)));
            if (isEnded) {
                finishOutlet(Optional.empty());
            }
        } finally {
            lock.unlock();
        }
    }

    /** The outlet's response ends here; from now on its connection carries something else. */
    @GuardedBy("lock")
    private void finishOutlet(Optional<HttpText.Piece> last) {
        var finishing = outlet;
        outlet = null;
        if (finishing != null) {
            finishing.finishStream(last);
        }
    }

    /** The connection of {@code from} is gone; false if it was not the outlet any more. */
    boolean detach(HttpExchange from) {
        lock.lock();
        try {
            boolean isOutlet = outlet == from;
            outlet = isOutlet ? null : outlet;
            return isOutlet;
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has ended, and with the event of that number or before. */
    boolean isOverAfter(long number) {
        lock.lock();
        try {
            return isEnded && !isListening && kept.stream().noneMatch(each -> each.number > number);
        } finally {
            lock.unlock();
        }
    }

    /** Whether nobody needs it if its client does not come back: it has ended, or only listened. */
    boolean isExpendable() {
        lock.lock();
        try {
            return isEnded || (isListening && outlet == null);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything. */
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

    /** Numbers the message and keeps it; false if there is no room, even without older ones of this stream. */
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

package io.mcpbridge.retry.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets so many attempts of a server be under way at once; the others are parked until one ends, users in turn. One whose
 * deadline passes meanwhile is never sent, and one whose client is being asked does not count. Any thread.
 */
public final class ConcurrencyStage implements CallStage {
    private final ConcurrencySettings settings;
    private final String server;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FairQueue queue = new FairQueue();

    @GuardedBy("lock")
    private int underWay;

    /** Whether some thread is letting calls begin, so that one that ends at once does not begin another within itself. */
    @GuardedBy("lock")
    private boolean isHandingOut;

    public ConcurrencyStage(ConcurrencySettings settings, StageContext context) {
        this.settings = settings;
        this.server = context.server();
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var turn = new ParkedTurn(call, reply, next);
        var displaced = new ArrayList<ParkedTurn>(1);
        switch (arrive(turn, displaced)) {
            case BEGINS -> begin(turn);
            case WAITS -> turn.watch(server, () -> remove(turn));
            case TOO_MANY -> reply.done(Outcome.failed(overloaded()));
        }
        displaced.forEach(other -> other.refuse(overloaded()));
    }

    @Override
    public List<Reading> readings() {
        lock.lock();
        try {
            return List.of(
                    new Reading(
                            "concurrency.under-way", underWay, "%d of at most %d".formatted(underWay, settings.max())),
                    new Reading(
                            "concurrency.waiting",
                            queue.size(),
                            "%d of at most %d".formatted(queue.size(), settings.queue())));
        } finally {
            lock.unlock();
        }
    }

    private void begin(ParkedTurn turn) {
        var leaving = new Leaving(turn.reply());
        turn.begin(leaving, leaving::heldOrNot);
    }

    private enum Arrival {
        BEGINS,
        WAITS,
        TOO_MANY
    }

    /** What follows for a call that comes now, and in {@code displaced} who has to go for it. */
    private Arrival arrive(ParkedTurn turn, List<ParkedTurn> displaced) {
        lock.lock();
        try {
            if (underWay < settings.max() && queue.size() == 0) {
                underWay++;
                return Arrival.BEGINS;
            }
            if (queue.size() >= settings.queue()) {
                queue.displace(turn.principal()).ifPresent(displaced::add);
                if (displaced.isEmpty()) {
                    return Arrival.TOO_MANY;
                }
            }
            queue.add(turn);
            return Arrival.WAITS;
        } finally {
            lock.unlock();
        }
    }

    private void remove(ParkedTurn turn) {
        lock.lock();
        try {
            queue.remove(turn);
        } finally {
            lock.unlock();
        }
    }

    /** There may be room: whoever is next may begin, unless some thread sees to that already. */
    private void handOut() {
        lock.lock();
        try {
            if (isHandingOut) {
                return;
            }
            isHandingOut = true;
        } finally {
            lock.unlock();
        }
        for (var turn = next(); turn.isPresent(); turn = next()) {
            begin(turn.get());
        }
    }

    private Optional<ParkedTurn> next() {
        lock.lock();
        try {
            while (underWay < settings.max() && queue.size() > 0) {
                var turn = queue.next(user -> true).orElseThrow();
                if (turn.take()) {
                    underWay++;
                    return Optional.of(turn);
                }
            }
            isHandingOut = false;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Failure overloaded() {
        var words = "%d attempts wait for server '%s' already, which is the limit 'concurrency.queue', and %d are under"
                + " way; try again later";
        return Failure.of(ErrorCode.OVERLOADED, words.formatted(settings.queue(), server, settings.max()))
                .withServer(server);
    }

    /** Makes room when the attempt has ended, and while it waits for what its client is asked. */
    private final class Leaving implements Reply {
        private final Reply reply;

        @GuardedBy("lock")
        private boolean hasPlace = true;

        @GuardedBy("lock")
        private boolean hasEnded;

        private Leaving(Reply reply) {
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            reply.done(outcome);
            boolean isWaitedFor;
            lock.lock();
            try {
                hasEnded = true;
                underWay -= hasPlace ? 1 : 0;
                hasPlace = false;
                isWaitedFor = queue.size() > 0;
            } finally {
                lock.unlock();
            }
            if (isWaitedFor) {
                handOut();
            }
        }

        /** Frees the place or takes it; who comes back gets one in any case, since the server works for it already. */
        private void heldOrNot(Deadline deadline) {
            lock.lock();
            try {
                var wantsPlace = !hasEnded && !deadline.isHeld();
                if (wantsPlace != hasPlace) {
                    underWay += wantsPlace ? 1 : -1;
                    hasPlace = wantsPlace;
                }
            } finally {
                lock.unlock();
            }
            handOut();
        }
    }
}

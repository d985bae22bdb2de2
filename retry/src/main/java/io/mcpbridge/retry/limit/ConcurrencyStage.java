package io.mcpbridge.retry.limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.limit.FairCallQueue.QueuedCall;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the concurrent attempts at a server. Further attempts wait in a fair queue and are not sent after their
 * deadline. An attempt that waits for input of its client does not count. Any thread may use it.
 */
public final class ConcurrencyStage implements CallStage {
    private final ConcurrencySettings settings;
    private final String server;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final FairCallQueue queue = new FairCallQueue();

    @GuardedBy("lock")
    private int inProgress;

    /**
     * Whether a thread is beginning calls, so that a call that ends at once does not begin the next one recursively.
     */
    @GuardedBy("lock")
    private boolean isBeginningCalls;

    public ConcurrencyStage(ConcurrencySettings settings, StageContext context) {
        this.settings = settings;
        this.server = context.server();
    }

    @Override
    public void handle(CallContext call, Next next) {
        var arriving = new QueuedCall(call, next);
        var evicted = new ArrayList<QueuedCall>(0);
        switch (admit(arriving, evicted)) {
            case BEGINS -> begin(arriving);
            case WAITS -> arriving.watchCancellation(server, () -> remove(arriving));
            case QUEUE_FULL -> call.complete(Outcome.failed(overloaded()));
        }
        evicted.forEach(other -> other.reject(overloaded()));
    }

    @Override
    public List<GaugeReading> readings() {
        lock.lock();
        try {
            return List.of(
                    new GaugeReading(
                            "concurrency.under-way",
                            inProgress,
                            "%d of at most %d".formatted(inProgress, settings.max())),
                    new GaugeReading(
                            "concurrency.waiting",
                            queue.size(),
                            "%d of at most %d".formatted(queue.size(), settings.queue())));
        } finally {
            lock.unlock();
        }
    }

    private void begin(QueuedCall call) {
        var held = new HeldPermit();
        call.call().onHold(held::onHold);
        // Runs after the caller has the outcome, so that the caller does not wait for the calls that begin here.
        call.call().afterComplete(held::release);
        call.begin();
    }

    /** Decides about a call that arrives now; adds a call that has to leave the queue for it to {@code evicted}. */
    private Admission admit(QueuedCall arriving, List<QueuedCall> evicted) {
        lock.lock();
        try {
            if (inProgress < settings.max() && queue.size() == 0) {
                inProgress++;
                return Admission.BEGINS;
            }
            return queue.add(arriving, settings.queue(), evicted) ? Admission.WAITS : Admission.QUEUE_FULL;
        } finally {
            lock.unlock();
        }
    }

    private void remove(QueuedCall call) {
        lock.lock();
        try {
            queue.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /** Begins the next calls if there is room, unless another thread does so already. */
    private void beginNext() {
        lock.lock();
        try {
            if (isBeginningCalls) {
                return;
            }
            isBeginningCalls = true;
        } finally {
            lock.unlock();
        }
        for (var next = pollNext(); next.isPresent(); next = pollNext()) {
            begin(next.get());
        }
    }

    private Optional<QueuedCall> pollNext() {
        lock.lock();
        try {
            while (inProgress < settings.max() && queue.size() > 0) {
                var next = queue.poll(user -> true).orElseThrow();
                if (next.take()) {
                    inProgress++;
                    return Optional.of(next);
                }
            }
            isBeginningCalls = false;
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Failure overloaded() {
        var words = "%d attempts wait for server '%s' already, which is the limit 'concurrency.queue', and %d are in"
                + " progress; try again later";
        return Failure.of(ErrorCode.OVERLOADED, words.formatted(settings.queue(), server, settings.max()))
                .withServer(server);
    }

    private enum Admission {
        BEGINS,
        WAITS,
        QUEUE_FULL
    }

    /** The permit of one attempt, which is released at its end and while the client is being asked for input. */
    private final class HeldPermit {
        @GuardedBy("lock")
        private boolean isHeld = true;

        @GuardedBy("lock")
        private boolean hasEnded;

        private void release() {
            boolean isWaitedFor;
            lock.lock();
            try {
                hasEnded = true;
                inProgress -= isHeld ? 1 : 0;
                isHeld = false;
                isWaitedFor = queue.size() > 0;
            } finally {
                lock.unlock();
            }
            if (isWaitedFor) {
                beginNext();
            }
        }

        /**
         * Releases the permit or takes it back. Taking it back may exceed the limit, since the server already works on
         * the call.
         */
        private void onHold(Deadline deadline) {
            lock.lock();
            try {
                var isNeeded = !hasEnded && !deadline.isHeld();
                if (isNeeded != isHeld) {
                    inProgress += isNeeded ? 1 : -1;
                    isHeld = isNeeded;
                }
            } finally {
                lock.unlock();
            }
            beginNext();
        }
    }

    /** Provides {@code concurrency}, for servers whose configuration has such a section. */
    public static final class ConcurrencyProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("concurrency", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.CONCURRENCY;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return context.isConfigured()
                    ? Optional.of(new ConcurrencyStage(ConcurrencySettings.from(context.settings()), context))
                    : Optional.empty();
        }
    }
}

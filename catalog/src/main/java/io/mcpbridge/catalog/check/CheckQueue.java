package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The checks of one server, run one at a time on threads that all servers share. After each check the thread goes to the
 * next server, so a server with costly schemas delays its own calls alone. Any thread.
 */
final class CheckQueue {
    static final int MAX_WAITING = 10_000;

    private final Executor threads;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<QueuedCheck> waiting = new LinkedHashSet<>();

    /** Whether a thread runs a check of this server, or is requested to. */
    @GuardedBy("lock")
    private boolean isActive;

    /** @param threads shared by all servers */
    CheckQueue(Executor threads) {
        this.threads = threads;
    }

    /** Runs a check after those before it, or rejects it. */
    void add(QueuedCheck check) {
        switch (enqueue(check)) {
            case FIRST -> activate();
            case QUEUED -> {}
            case REJECTED ->
                check.reject("%,d checks of its server wait already; try again later".formatted(MAX_WAITING));
        }
    }

    private Admission enqueue(QueuedCheck check) {
        lock.lock();
        try {
            if (waiting.size() >= MAX_WAITING) {
                return Admission.REJECTED;
            }
            waiting.add(check);
            if (isActive) {
                return Admission.QUEUED;
            }
            isActive = true;
            return Admission.FIRST;
        } finally {
            lock.unlock();
        }
    }

    private void activate() {
        try {
            threads.execute(this::runNext);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            removeAll().forEach(check -> check.reject("there is no thread for it; try again later"));
        }
    }

    private void runNext() {
        do {
            poll().ifPresent(QueuedCheck::run);
        } while (!isHandedOver());
    }

    /** Whether this thread is done: nothing is left, or another run is requested. Without a thread for it, this one stays. */
    private boolean isHandedOver() {
        if (deactivateIfEmpty()) {
            return true;
        }
        try {
            threads.execute(this::runNext);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            return false;
        }
    }

    private boolean deactivateIfEmpty() {
        lock.lock();
        try {
            isActive = !waiting.isEmpty();
            return !isActive;
        } finally {
            lock.unlock();
        }
    }

    private Optional<QueuedCheck> poll() {
        lock.lock();
        try {
            var first = waiting.stream().findFirst();
            first.ifPresent(waiting::remove);
            return first;
        } finally {
            lock.unlock();
        }
    }

    private List<QueuedCheck> removeAll() {
        lock.lock();
        try {
            var all = List.copyOf(waiting);
            waiting.clear();
            isActive = false;
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a check that has ended while it waited. */
    void remove(QueuedCheck check) {
        lock.lock();
        try {
            waiting.remove(check);
        } finally {
            lock.unlock();
        }
    }

    private enum Admission {
        FIRST,
        QUEUED,
        REJECTED
    }

    /**
     * A check that a call waits for. While it waits and runs, the call can be cancelled and its deadline holds. Its callback
     * is called once in any case. Any thread.
     */
    static final class QueuedCheck {
        private final Call call;
        private final Supplier<List<SchemaIssue>> check;
        private final Callback callback;
        private final Logger logger;
        private final SingleEnd end = new SingleEnd();

        QueuedCheck(Call call, Supplier<List<SchemaIssue>> check, Callback callback, Logger logger) {
            this.call = call;
            this.check = check;
            this.callback = callback;
            this.logger = logger;
        }

        void begin(CheckQueue queue) {
            queue.add(this);
            if (end.isOver()) {
                return;
            }
            var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
            var link = call.cancellation().onCancel(this::cancel);
            end.releasing(() -> {
                alarm.cancel();
                link.remove();
                queue.remove(this);
            });
        }

        /** Checks, unless the call has ended. */
        void run() {
            if (end.isOver()) {
                return;
            }
            try {
                check();
            } catch (RuntimeException | Error defect) {
                logger.log(Level.WARNING, "[mcp-bridge] the continuation of a schema check failed", defect);
            }
        }

        private void check() {
            List<SchemaIssue> issues;
            try {
                issues = check.get();
            } catch (RuntimeException | Error defect) {
                logger.log(Level.WARNING, "[mcp-bridge] a schema check failed", defect);
                fail(ErrorCode.INTERNAL_ERROR, "the check failed: " + defect);
                return;
            }
            if (end.end()) {
                callback.checked(issues);
            }
        }

        void reject(String why) {
            fail(ErrorCode.OVERLOADED, why);
        }

        private void cancel(CancelReason reason) {
            fail(reason.code(), "the call was cancelled before the check was done: " + reason.text());
        }

        private void fail(ErrorCode code, String why) {
            if (end.end()) {
                callback.failed(code, why);
            }
        }

        /** Receives the result of a check. */
        interface Callback {
            void checked(List<SchemaIssue> issues);

            /** There is no result: the check failed, or the call has ended. */
            void failed(ErrorCode code, String why);
        }
    }
}

package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.OneShotEnd;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs the checks of one server one at a time, on threads that all servers share. After each check the thread moves to
 * the next server, so a server with costly schemas delays only its own calls. A check on the thread of a caller that waits
 * is not queued. Any thread.
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
        boolean isFull;
        boolean isFirst;
        lock.lock();
        try {
            isFull = waiting.size() >= MAX_WAITING;
            isFirst = !isFull && !isActive;
            if (!isFull) {
                waiting.add(check);
                isActive = true;
            }
        } finally {
            lock.unlock();
        }
        if (isFull) {
            check.reject("%,d checks of its server wait already; try again later".formatted(MAX_WAITING));
        } else if (isFirst && !requestThread()) {
            removeAll().forEach(each -> each.reject("there is no thread for it; try again later"));
        }
    }

    private boolean requestThread() {
        try {
            threads.execute(this::runNext);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            return false;
        }
    }

    /** Runs one check, and the next ones too if no thread is available for them. */
    private void runNext() {
        do {
            poll().ifPresent(QueuedCheck::run);
        } while (!deactivateIfEmpty() && !requestThread());
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

    /**
     * A check that a call waits for. While it waits and runs, the call can be cancelled and its deadline holds. One of
     * the actions runs, once. Any thread.
     */
    static final class QueuedCheck {
        private final Call call;
        private final Supplier<List<SchemaIssue>> check;
        private final Consumer<List<SchemaIssue>> onChecked;
        private final BiConsumer<ErrorCode, String> onFailed;
        private final Logger logger;
        private final OneShotEnd end = new OneShotEnd();

        /** @param onFailed receives why there is no result: the check failed, or the call has ended */
        QueuedCheck(
                Call call,
                Supplier<List<SchemaIssue>> check,
                Consumer<List<SchemaIssue>> onChecked,
                BiConsumer<ErrorCode, String> onFailed,
                Logger logger) {
            this.call = call;
            this.check = check;
            this.onChecked = onChecked;
            this.onFailed = onFailed;
            this.logger = logger;
        }

        void enqueue(CheckQueue queue) {
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

        /** Checks on this thread, which only waits for the call. */
        void runInline() {
            end.releasing(call.cancellation().onCancel(this::cancel)::remove);
            run();
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
                onChecked.accept(issues);
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
                onFailed.accept(code, why);
            }
        }
    }
}

package io.mcpbridge.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the calls of one tool one at a time, in the order of their arrival. A call that waits holds no thread, and leaves
 * the queue when it is cancelled or its deadline expires. Any thread.
 */
final class SerialCallQueue {
    /** The largest number of calls of one tool that wait. */
    static final int MAX_WAITING = 1_024;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean isBusy;

    /** Starts a task now, or queues it until {@link #next} returns it. */
    void execute(Task task, Cancellation cancellation) {
        var waiting = new Waiting(task, cancellation);
        switch (enqueue(waiting)) {
            case STARTED -> waiting.leave().start();
            case REJECTED -> waiting.leave().rejected();
            case QUEUED -> cancellation.reason().ifPresent(waiting::cancel);
        }
    }

    private Admission enqueue(Waiting waiting) {
        lock.lock();
        try {
            if (!isBusy) {
                isBusy = true;
                return Admission.STARTED;
            }
            if (queue.size() >= MAX_WAITING) {
                return Admission.REJECTED;
            }
            queue.add(waiting);
            return Admission.QUEUED;
        } finally {
            lock.unlock();
        }
    }

    /** The running task has completed; returns the one that has waited longest, which the caller runs. */
    Optional<Task> next() {
        Waiting next;
        lock.lock();
        try {
            next = queue.poll();
            isBusy = next != null;
        } finally {
            lock.unlock();
        }
        return Optional.ofNullable(next).map(Waiting::leave);
    }

    private boolean dequeue(Waiting waiting) {
        lock.lock();
        try {
            return queue.remove(waiting);
        } finally {
            lock.unlock();
        }
    }

    /** A task; one of its methods is called, once. */
    interface Task {
        /** Runs on a thread that also runs what {@link #next} returns. */
        void start();

        /** Runs on the current thread. */
        void run();

        /** The call was cancelled while it waited. */
        void cancelled(CancelReason reason);

        /** The queue is full. */
        void rejected();
    }

    private enum Admission {
        STARTED,
        QUEUED,
        REJECTED
    }

    private final class Waiting {
        private final Task task;
        private final Cancellation.Registration registration;

        private Waiting(Task task, Cancellation cancellation) {
            this.task = task;
            this.registration = cancellation.onCancel(this::cancel);
        }

        private void cancel(CancelReason reason) {
            if (dequeue(this)) {
                task.cancelled(reason);
            }
        }

        private Task leave() {
            registration.remove();
            return task;
        }
    }
}

package io.mcpbridge.sandbox.launch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks every few milliseconds what children use of that which the system does not bound here, and ends those that use too
 * much. Its threads are there before the first such child, so that no lack of them saves one; whatever goes wrong with one
 * look, the next one comes. Any thread.
 */
final class TreeWatch implements AutoCloseable {
    static final Duration EVERY = Duration.ofMillis(25);

    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final ReentrantLock lock = new ReentrantLock();
    private final Timekeeper timekeeper;

    /** For ends, which may take their time; never more than one, which stays. */
    private final ThreadPoolExecutor ending;

    private final AtomicBoolean isTold = new AtomicBoolean();

    @GuardedBy("lock")
    private final List<HeldChild> children = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isLooking;

    @GuardedBy("lock")
    private boolean isClosed;

    TreeWatch(Timekeeper timekeeper) {
        this(
                timekeeper,
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), TreeWatch::thread));
    }

    TreeWatch(Timekeeper timekeeper, ThreadPoolExecutor ending) {
        this.timekeeper = timekeeper;
        this.ending = ending;
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "mcp-bridge-sandbox-end");
        thread.setDaemon(true);
        return thread;
    }

    /** Makes sure that it can watch; whoever starts a child that is to be watched asks before. */
    void begin() {
        ending.prestartCoreThread();
        lock.lock();
        try {
            lookAgain();
        } finally {
            lock.unlock();
        }
    }

    /** Watches a child until it has ended, and somebody sees to what it leaves where it was ended here. */
    void add(HeldChild child) {
        lock.lock();
        try {
            children.add(child);
            lookAgain();
        } finally {
            lock.unlock();
        }
        child.onExit().whenComplete((exit, failed) -> remove(child));
    }

    private void remove(HeldChild child) {
        lock.lock();
        try {
            // Nobody may have had a thread for the end of what it had started, so the next look tries again.
            children.removeIf(each -> each == child && !each.isToBeEnded());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void lookAgain() {
        if (!isLooking && !isClosed) {
            var unused = timekeeper.schedule(EVERY, this::look);
            isLooking = true;
        }
    }

    /** On the thread of the timekeeper. */
    private void look() {
        try {
            begun().forEach(this::check);
        } finally {
            goOn();
        }
    }

    /** The children of one look. */
    private List<HeldChild> begun() {
        lock.lock();
        try {
            isLooking = false;
            return isClosed ? List.of() : List.copyOf(children);
        } finally {
            lock.unlock();
        }
    }

    private void check(HeldChild child) {
        try {
            child.check(ending);
            if (child.isEnding()) {
                remove(child);
            }
        } catch (RejectedExecutionException closed) {
            // Whoever closes the launcher ends all children.
        } catch (RuntimeException | Error failed) {
            tell(failed);
        }
    }

    /** Only the first time, since there are many looks. */
    private void tell(Throwable failed) {
        if (!isTold.getAndSet(true)) {
            LOG.log(System.Logger.Level.WARNING, "[mcp-bridge] could not look what a child uses", failed);
        }
    }

    /** There is another look as long as there are children. */
    private void goOn() {
        lock.lock();
        try {
            if (!children.isEmpty()) {
                lookAgain();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
        ending.shutdown();
    }
}

package io.mcpbridge.testkit;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** One thread that runs actions in the order in which they came. Any thread may use it. */
final class Lane {
    private final BlockingQueue<Optional<Runnable>> actions = new LinkedBlockingQueue<>();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Lane(String name) {
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether it was taken; after the stop nothing is. */
    boolean add(Runnable action) {
        return !stopped.get() && actions.add(Optional.of(action));
    }

    /** Runs what is there already, then ends the thread; waits for it unless called on it. */
    void stop() {
        if (stopped.compareAndSet(false, true)) {
            actions.add(Optional.empty());
        }
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(Eventually.PATIENCE.toMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (var next = actions.take(); next.isPresent(); next = actions.take()) {
                next.get().run();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}

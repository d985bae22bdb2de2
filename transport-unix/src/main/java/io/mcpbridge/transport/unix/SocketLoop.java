package io.mcpbridge.transport.unix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One thread that waits for many sockets at once. Any thread may use it, but what says otherwise.
 *
 * <p>{@link SocketLoops} makes, starts and stops it. What runs on it never waits.
 */
final class SocketLoop {
    private static final int READ_AT_ONCE = 64 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_AT_ONCE);
    private final System.Logger logger;
    private final Selector selector;
    private final Thread thread;
    private volatile boolean stopped;

    SocketLoop(String name, System.Logger logger) {
        this.logger = logger;
        this.selector = open();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Runs the task on this loop's thread, soon; not at all if the loop has stopped. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** Makes the loop look again, and let go of channels that were closed. */
    void wakeUp() {
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    /** Room to read into; only for this loop's thread, and only until it returns. */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    /** Only for this loop's thread. */
    SelectionKey register(SelectableChannel channel, int interest, Ready ready) throws IOException {
        return channel.register(selector, interest, ready);
    }

    void stop() {
        stopped = true;
        wakeUp();
    }

    /** Waits for the end of the thread, for a bounded time, unless it is this one. */
    void awaitEnd() {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stopped) {
                // Whoever interrupted this thread meant one request at the most, and select would never wait again.
                Thread.interrupted();
                selector.select(this::dispatch);
                runTasks();
            }
        } catch (IOException broken) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] a socket loop broke and its connections end", broken);
        } finally {
            end();
        }
    }

    private void runTasks() {
        for (var task = tasks.poll(); task != null; task = tasks.poll()) {
            guarded(task);
        }
    }

    private void dispatch(SelectionKey key) {
        var ready = (Ready) key.attachment();
        try {
            ready.ready(key);
        } catch (CancelledKeyException closedMeanwhile) {
            // Another thread closed the channel; there is nothing left to do for it.
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            // The outermost frame: one connection ends, the others of the loop go on.
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] a connection ends because of a fault", failed);
            guarded(() -> ready.failed(failed));
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] a task of a socket loop failed", failed);
        }
    }

    private void end() {
        runTasks();
        for (var key : selector.keys()) {
            Quietly.close(key.channel());
        }
        Quietly.close(selector);
    }

    private static Selector open() {
        try {
            return Selector.open();
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot open a selector", failed);
        }
    }

    /** Hears that its channel is ready; called on the loop's thread. */
    interface Ready {

        void ready(SelectionKey key);

        /** {@link #ready} broke; the channel has to go. */
        void failed(Throwable why);
    }
}

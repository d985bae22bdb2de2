package io.mcpbridge.transport.unix;

import io.mcpbridge.stream.EventTurn;
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
 * One thread that serves many sockets. Any thread may use it, except where stated otherwise.
 *
 * <p>{@link SocketEventLoopGroup} creates, starts and stops it. What runs on it must not wait.
 */
final class SocketEventLoop {
    private static final int READ_BUFFER_BYTES = 64 * 1024;
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BUFFER_BYTES);
    private final System.Logger logger;
    private final Selector selector;
    private final Thread thread;
    private volatile boolean stopped;

    SocketEventLoop(String name, System.Logger logger) {
        this.logger = logger;
        this.selector = open();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Runs the task on the loop's thread; drops it if the loop has stopped. */
    void execute(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /** Wakes the loop, so that it releases channels that were closed. */
    void wakeUp() {
        if (Thread.currentThread() != thread) {
            selector.wakeup();
        }
    }

    /** The read buffer; for the loop's thread alone, until the handler returns. */
    ByteBuffer buffer() {
        return buffer.clear();
    }

    /** Registers a channel; for the loop's thread alone. */
    SelectionKey register(SelectableChannel channel, int interest, Handler handler) throws IOException {
        return channel.register(selector, interest, handler);
    }

    void stop() {
        stopped = true;
        wakeUp();
    }

    /** Waits a bounded time for the thread to end, unless it is the current one. */
    void awaitEnd() {
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(JOIN_TIMEOUT.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        EventTurn.declare(tasks::add);
        try {
            while (!stopped) {
                // Cleared, since select does not wait while the flag is set.
                Thread.interrupted();
                selector.select(this::dispatch);
                runTasks();
            }
        } catch (IOException broken) {
            logger.log(
                    System.Logger.Level.ERROR, "[mcp-bridge] a socket event loop failed; its connections end", broken);
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
        var handler = (Handler) key.attachment();
        try {
            handler.ready(key);
        } catch (CancelledKeyException closedMeanwhile) {
            // Another thread closed the channel.
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            // The outermost frame: one connection ends, the others continue.
            logger.log(
                    System.Logger.Level.ERROR, "[mcp-bridge] a connection ends because of an internal error", failed);
            guarded(() -> handler.failed(failed));
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | LinkageError | StackOverflowError failed) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] a task of a socket event loop failed", failed);
        }
    }

    private void end() {
        runTasks();
        for (var key : selector.keys()) {
            Closeables.closeQuietly(key.channel());
        }
        Closeables.closeQuietly(selector);
    }

    private static Selector open() {
        try {
            return Selector.open();
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot open a selector", failed);
        }
    }

    /** Handles the events of a channel, on the loop's thread. */
    interface Handler {

        void ready(SelectionKey key);

        /** {@link #ready} failed; the handler closes the channel. */
        void failed(Throwable why);
    }
}

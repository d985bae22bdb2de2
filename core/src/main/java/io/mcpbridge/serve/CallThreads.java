package io.mcpbridge.serve;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The threads of calls: virtual ones where the Java runtime has them, else as many of the platform's as are needed. */
final class CallThreads {
    private static final int MOST = 1_024;

    private CallThreads() {}

    static ExecutorService open() {
        return open(Executors.class, "newVirtualThreadPerTaskExecutor");
    }

    /** The threads that a static method makes, or the platform's where it is not there. */
    static ExecutorService open(Class<?> maker, String method) {
        try {
            return (ExecutorService) maker.getMethod(method).invoke(null);
        } catch (ReflectiveOperationException older) {
            return ofThePlatform();
        }
    }

    private static ExecutorService ofThePlatform() {
        var count = new AtomicLong();
        return new ThreadPoolExecutor(0, MOST, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
            var thread = new Thread(work, "mcp-bridge-tool-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}

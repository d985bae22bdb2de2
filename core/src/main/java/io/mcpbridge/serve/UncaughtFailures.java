package io.mcpbridge.serve;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends the program when a thread ends by a failure that nobody caught: logs it, then exits with 1.
 *
 * <p>Installed once, however many servers want it, and taken back when the last of them has stopped.
 */
final class UncaughtFailures implements Thread.UncaughtExceptionHandler {
    private static final ReentrantLock LOCK = new ReentrantLock();

    private final System.Logger logger;
    private final IntConsumer exit;
    private final Thread.@Nullable UncaughtExceptionHandler before;

    @GuardedBy("LOCK")
    private final Set<Object> owners = new HashSet<>();

    private UncaughtFailures(System.Logger logger, IntConsumer exit, Thread.@Nullable UncaughtExceptionHandler before) {
        this.logger = logger;
        this.exit = exit;
        this.before = before;
    }

    /** Installs it for {@code owner}, unless it is there already. */
    static void install(Object owner, System.Logger logger, IntConsumer exit) {
        LOCK.lock();
        try {
            var current = Thread.getDefaultUncaughtExceptionHandler();
            if (current instanceof UncaughtFailures installed) {
                installed.owners.add(owner);
                return;
            }
            var handler = new UncaughtFailures(logger, exit, current);
            handler.owners.add(owner);
            Thread.setDefaultUncaughtExceptionHandler(handler);
        } finally {
            LOCK.unlock();
        }
    }

    /** {@code owner} does not want it any more. */
    static void remove(Object owner) {
        LOCK.lock();
        try {
            if (Thread.getDefaultUncaughtExceptionHandler() instanceof UncaughtFailures installed
                    && installed.owners.remove(owner)
                    && installed.owners.isEmpty()) {
                Thread.setDefaultUncaughtExceptionHandler(installed.before);
            }
        } finally {
            LOCK.unlock();
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        try {
            logger.log(Level.ERROR, "[mcp-bridge] uncaughtException: " + failure, failure);
        } finally {
            // A program that ends already waits for its hooks, and ending it from one of them would wait for its end.
            if (!isEnding()) {
                exit.accept(1);
            }
        }
    }

    private static boolean isEnding() {
        try {
            Runtime.getRuntime().removeShutdownHook(Thread.currentThread());
            return false;
        } catch (IllegalStateException ending) {
            return true;
        }
    }
}

package io.mcpbridge.gateway;

import io.mcpbridge.spi.BackgroundThreads;
import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Signal handlers by {@code sun.misc.Signal}, through reflection because that class is not part of Java SE. Not
 * thread-safe.
 *
 * <p>Each signal runs its action on a new thread, so an action may block while another signal arrives.
 */
final class SystemSignals {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");
    private static final AtomicLong COUNT = new AtomicLong();

    /** The previous handlers, the newest first. */
    private final Deque<Replaced> replaced = new ArrayDeque<>();

    private record Replaced(Object signal, Object handler) {}

    /** Runs {@code action} at each such signal; logs a signal that the system does not support. */
    void handle(String name, Runnable action) {
        try {
            var signalType = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            var signal = signalType.getConstructor(String.class).newInstance(name);
            var handler = Proxy.newProxyInstance(
                    SystemSignals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        BackgroundThreads.start("signal-" + name + "-" + COUNT.incrementAndGet(), action);
                        return null;
                    });
            replaced.push(new Replaced(signal, exchange(signal, handler)));
        } catch (ReflectiveOperationException unavailable) {
            LOG.log(Level.DEBUG, "[mcp-bridge] cannot handle the signal {0}: {1}", name, unavailable);
        }
    }

    void restore() {
        while (!replaced.isEmpty()) {
            var last = replaced.pop();
            try {
                exchange(last.signal, last.handler);
            } catch (ReflectiveOperationException unavailable) {
                LOG.log(Level.DEBUG, "[mcp-bridge] cannot restore a signal handler: {0}", unavailable);
            }
        }
    }

    private static Object exchange(Object signal, Object handler) throws ReflectiveOperationException {
        var handlerType = Class.forName("sun.misc.SignalHandler");
        return signal.getClass()
                .getMethod("handle", signal.getClass(), handlerType)
                .invoke(null, signal, handler);
    }
}

package io.mcpbridge.gateway;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's signals, reached by reflection because they are no part of the standard library. For one thread.
 *
 * <p>Each signal runs its action on a thread of its own, so that an action may wait while another signal comes.
 */
final class SystemSignals {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");
    private static final AtomicLong COUNT = new AtomicLong();

    /** What to put back, the newest first. */
    private final Deque<Replaced> replaced = new ArrayDeque<>();

    private record Replaced(Object signal, Object handler) {}

    /** Runs {@code action} whenever the signal comes; a signal that cannot be had is logged. */
    void handle(String name, Runnable action) {
        try {
            var signalType = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            var signal = signalType.getConstructor(String.class).newInstance(name);
            var handler = Proxy.newProxyInstance(
                    handlerType.getClassLoader(), new Class<?>[] {handlerType}, new Handler(name, action));
            replaced.push(new Replaced(signal, exchange(signal, handler)));
        } catch (ReflectiveOperationException unavailable) {
            LOG.log(Level.DEBUG, "[mcp-bridge] the signal {0} is not to be had here: {1}", name, unavailable);
        }
    }

    void restore() {
        while (!replaced.isEmpty()) {
            var last = replaced.pop();
            try {
                exchange(last.signal, last.handler);
            } catch (ReflectiveOperationException unavailable) {
                LOG.log(Level.DEBUG, "[mcp-bridge] a signal could not be put back: {0}", unavailable);
            }
        }
    }

    private static Object exchange(Object signal, Object handler) throws ReflectiveOperationException {
        var handlerType = Class.forName("sun.misc.SignalHandler");
        return signal.getClass()
                .getMethod("handle", signal.getClass(), handlerType)
                .invoke(null, signal, handler);
    }

    /** Stands for {@code sun.misc.SignalHandler}. */
    private record Handler(String name, Runnable action) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            return switch (method.getName()) {
                case "handle" -> {
                    var thread = new Thread(action, "mcp-bridge-signal-" + name + "-" + COUNT.incrementAndGet());
                    thread.setDaemon(true);
                    thread.start();
                    yield null;
                }
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "mcp-bridge handler of " + name;
            };
        }
    }
}

package io.mcpbridge.engine;

import io.mcpbridge.spi.CallContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has something else happen once a call has found its place, before it is kept or sent there: that is when its request is
 * looked at first.
 */
final class Interruption {
    private Interruption() {}

    /** The same call; {@code what} happens as it has found its place. */
    static CallContext of(CallContext call, Runnable what) {
        var next = new AtomicReference<>(what);
        return (CallContext) Proxy.newProxyInstance(
                CallContext.class.getClassLoader(), new Class<?>[] {CallContext.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("request")) {
                        next.getAndSet(() -> {}).run();
                    }
                    try {
                        return method.invoke(call, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}

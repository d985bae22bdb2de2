package io.mcpbridge.testkit.contract;

import io.mcpbridge.testkit.Eventually;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Ends the tests of a wrong plug-in in seconds: once a test of a contract has failed, each later one is interrupted
 * after {@link #AFTER_FAILURE}. The first one has the whole time, since the machine may be slow.
 *
 * <p>The configuration parameter {@link #LIMIT} is a number of seconds that limits each test from the start.
 */
final class HangingTests implements InvocationInterceptor {
    static final String LIMIT = "mcpbridge.contract.seconds";

    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    private static final String FAILED = "failed";

    /** Returns the limit of the tests that follow; empty if there is none but that of the contract. */
    static Optional<Duration> limit(ExtensionContext context) {
        var configured = context.getConfigurationParameter(LIMIT, text -> Duration.ofSeconds(Long.parseLong(text)));
        return configured.or(() -> hasFailed(context) ? Optional.of(AFTER_FAILURE) : Optional.empty());
    }

    /** Returns the time to wait for an effect outside of a test method. */
    static Duration timeout(ExtensionContext context) {
        return limit(context).orElse(Eventually.TIMEOUT);
    }

    private static boolean hasFailed(ExtensionContext context) {
        return store(context).get(FAILED) != null;
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(HangingTests.class, context.getRequiredTestClass()));
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(test, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        run(test, context);
    }

    private static void run(Invocation<Void> test, ExtensionContext context) throws Throwable {
        var limit = limit(context);
        try {
            if (limit.isPresent()) {
                run(test, limit.get());
            } else {
                test.proceed();
            }
        } catch (Throwable failed) {
            store(context).put(FAILED, true);
            throw failed;
        }
    }

    private static void run(Invocation<Void> test, Duration limit) throws Throwable {
        var ended = new CountDownLatch(1);
        var isInterrupted = new AtomicBoolean();
        var watch = watch(Thread.currentThread(), limit, ended, isInterrupted);
        try {
            test.proceed();
        } catch (Throwable failed) {
            throw isInterrupted.get()
                    ? new AssertionError(
                            "stopped after %d s, since another test of this contract has failed; run it alone to give it its whole time"
                                    .formatted(limit.toSeconds()),
                            failed)
                    : failed;
        } finally {
            ended.countDown();
            join(watch);
        }
    }

    /** Interrupts {@code test} unless it ends in time. */
    private static Thread watch(Thread test, Duration limit, CountDownLatch ended, AtomicBoolean isInterrupted) {
        var watch = new Thread(
                () -> {
                    try {
                        if (!ended.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                            isInterrupted.set(true);
                            test.interrupt();
                        }
                    } catch (InterruptedException unexpected) {
                        Thread.currentThread().interrupt();
                    }
                },
                "junit-contract-watch");
        watch.setDaemon(true);
        watch.start();
        return watch;
    }

    private static void join(Thread watch) {
        // The interrupt may come while the test ends; it must not reach the next one.
        while (watch.isAlive()) {
            Thread.onSpinWait();
        }
        var unused = Thread.interrupted();
    }
}

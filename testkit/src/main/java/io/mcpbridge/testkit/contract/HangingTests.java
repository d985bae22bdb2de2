package io.mcpbridge.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.mcpbridge.testkit.Eventually;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
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
        var hasFailed = store(context).get(FAILED) != null;
        return configured.or(() -> hasFailed ? Optional.of(AFTER_FAILURE) : Optional.empty());
    }

    /** Returns the time to wait for an effect outside of a test method. */
    static Duration timeout(ExtensionContext context) {
        return limit(context).orElse(Eventually.TIMEOUT);
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
                var unused = assertTimeoutPreemptively(
                        limit.get(),
                        () -> test.proceed(),
                        "stopped, since another test of this contract has failed; run it alone to give it its whole time");
            } else {
                test.proceed();
            }
        } catch (Throwable failed) {
            store(context).put(FAILED, true);
            throw failed;
        }
    }
}

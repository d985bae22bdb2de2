package io.mcpbridge.testkit.contract;

import io.mcpbridge.testkit.LeakCheck;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Requires after the test {@value #TEST} of a contract that threads of any name and sockets are gone. As an extension of
 * the contract it runs last, when the subclass has closed its peers.
 */
final class ReleaseCheck implements BeforeEachCallback, AfterEachCallback {
    static final String TEST = "nothingIsLeftBehind";

    @Override
    public void beforeEach(ExtensionContext context) {
        if (isMeant(context)) {
            store(context).put(TEST, LeakCheck.now());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (isMeant(context) && context.getExecutionException().isEmpty()) {
            Objects.requireNonNull(store(context).get(TEST, LeakCheck.class))
                    .assertAllReleased(HangingTests.timeout(context));
        }
    }

    private static boolean isMeant(ExtensionContext context) {
        return context.getRequiredTestMethod().getName().equals(TEST);
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(ExtensionContext.Namespace.create(ReleaseCheck.class));
    }
}

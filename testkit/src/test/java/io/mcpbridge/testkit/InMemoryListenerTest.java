package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.contract.ListenerContract;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InMemoryListenerTest extends ListenerContract {
    private @Nullable InMemoryListener memory;

    @Override
    protected Listener listener() {
        memory = new InMemoryListener();
        return memory;
    }

    @Override
    protected RawClient connect(URI address) throws IOException {
        return java.util.Objects.requireNonNull(memory).connect();
    }

    @Override
    protected TransportTraits.Shape shape() {
        return TransportTraits.Shape.SHARED_STREAM;
    }

    @Override
    protected boolean bindsEarly() {
        return false;
    }

    @Test
    void throwingHookIsReported() throws Exception {
        var defects = new LinkedBlockingQueue<Throwable>();
        var intake = new ThrowingIntake();
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, defect) -> defects.add(defect));
        try {
            try (var listener = new InMemoryListener()) {
                listener.start(peer -> Optional.of(intake));
                listener.connect();
                Eventually.holds("the exchange of the connection", intake.hasHook::get);
            }

            assertThat(Eventually.get(() -> "a reported hook", () -> Optional.ofNullable(defects.poll())))
                    .hasRootCauseMessage("broken hook");
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static final class ThrowingIntake implements Intake {
        private final AtomicBoolean hasHook = new AtomicBoolean();

        @Override
        public void received(Exchange exchange) {
            exchange.onAbandoned(() -> {
                throw new IllegalStateException("broken hook");
            });
            hasHook.set(true);
        }

        @Override
        public void closed() {}
    }
}

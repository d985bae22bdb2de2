package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs({OS.LINUX, OS.MAC})
class SystemSignalsTest {
    /** A signal that processes ignore unless they handle it. */
    private static final String SIGNAL = "WINCH";

    private final SystemSignals signals = new SystemSignals();

    @AfterEach
    void restore() {
        signals.restore();
    }

    @Test
    void signalRunsTheActionUntilTheHandlerIsRestored() throws Exception {
        var handled = new AtomicInteger();
        signals.handle(SIGNAL, handled::incrementAndGet);

        raise();
        Eventually.holds("the action", () -> handled.get() == 1);
        raise();
        Eventually.holds("the action again", () -> handled.get() == 2);

        signals.restore();
        raise();
        assertThat(handled).hasValue(2);
    }

    @Test
    void unknownSignalIsIgnored() {
        signals.handle("NONE", () -> {});

        signals.restore();
    }

    private static void raise() throws Exception {
        var pid = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-" + SIGNAL, pid).start().waitFor())
                .isZero();
    }
}

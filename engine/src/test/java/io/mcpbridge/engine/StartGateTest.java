package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.connection.StartGate;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of many processes only a few start at one moment. */
class StartGateTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final StartGate gate = new StartGate(time);
    private final List<Runnable> begun = new ArrayList<>();

    @Test
    void fourStartsRunAtOnce() {
        enter(6);
        assertThat(begun).hasSize(4);

        begun.get(0).run();
        begun.get(0).run();

        assertThat(begun).hasSize(5);
    }

    @Test
    void hangingStartDoesNotBlockOthers() {
        enter(6);

        time.advance(StartGate.LONGEST);

        assertThat(begun).hasSize(6);
    }

    @Test
    void completedStartsLeaveNoAlarm() {
        enter(6);

        for (int i = 0; i < 6; i++) {
            begun.get(i).run();
        }

        assertThat(time.pendingAlarms()).isZero();
        enter(4);
        assertThat(begun).hasSize(10);
    }

    private void enter(int starts) {
        for (int i = 0; i < starts; i++) {
            gate.enter(begun::add);
        }
    }
}

package io.mcpbridge.upstream.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who waits for a turn to end, and who does not. */
class EndingsTest {
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final List<String> ended = new ArrayList<>();
    private final Endings endings = new Endings(work::add);

    private void end(String name) {
        endings.patiently(new Told(name, () -> ended.add(name)));
    }

    private void endFour(Runnable patient) {
        for (int i = 0; i < 4; i++) {
            endings.patiently(new Told("one of four", patient));
        }
    }

    /** Tells what is asked of it; {@code end} is what ends it. */
    private final class Told implements Endings.Ending {
        private final String name;
        private final Runnable end;

        private Told(String name, Runnable end) {
            this.name = name;
            this.end = end;
        }

        @Override
        public void hangUp() {
            ended.add(name + " hung up");
        }

        @Override
        public void end() {
            end.run();
        }

        @Override
        public void kill() {
            ended.add(name + " killed");
        }
    }

    private Runnable next() {
        return Objects.requireNonNull(work.poll(), "nothing is to be done");
    }

    @Test
    void theFifthWaitsForATurn() {
        endFour(() -> {});

        end("fifth");

        assertThat(work).hasSize(4);
        next().run();
        assertThat(work).hasSize(4);
        while (!work.isEmpty()) {
            next().run();
        }
        assertThat(ended).containsExactly("fifth");
    }

    @Test
    void oneThatThrowsGivesItsTurnBack() {
        endFour(() -> {
            throw new IllegalStateException("a defect");
        });
        end("fifth");

        for (int i = 0; i < 4; i++) {
            var failing = next();
            assertThatThrownBy(failing::run).hasMessage("a defect");
        }
        next().run();

        assertThat(ended).containsExactly("fifth");
        endFour(() -> ended.add("later"));
        assertThat(work).hasSize(4);
    }

    @Test
    void inAHurryAllAreHungUpBeforeOneIsWaitedFor() {
        endFour(() -> {});
        end("fifth");
        end("sixth");

        endings.hurry();

        assertThat(ended).hasSize(6).allMatch(each -> each.endsWith(" hung up"));
        assertThat(work).hasSize(6);
        work.forEach(Runnable::run);
        assertThat(ended).endsWith("fifth", "sixth");
    }

    @Test
    void inAHurryNobodyWaitsForATurn() {
        endings.hurry();
        endFour(() -> {});

        end("fifth");

        assertThat(ended).endsWith("fifth hung up");
        assertThat(work).hasSize(5);
    }

    @Test
    void whatIsEndingStillCanBeKilled() {
        end("first");
        end("second");
        next().run();

        endings.kill();

        assertThat(ended).containsExactly("first", "second killed");
    }
}

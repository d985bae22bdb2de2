package io.mcpbridge.sandbox.worker.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** When a sweep is over, with looks that are told what they see. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(60)
class SweepTest {
    private static final Sighting NOBODY = new Sighting(List.of(), true);
    private static final Sighting DOUBT = new Sighting(List.of(), false);

    private Process process;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private Sighting itself() {
        return new Sighting(List.of(process.toHandle()), true);
    }

    private static void sweep(Sighting... looks) {
        Queue<Sighting> left = new ArrayDeque<>(List.of(looks));
        Sweep.end(() -> left.isEmpty() ? NOBODY : left.remove());
    }

    private boolean hasEnded() throws InterruptedException {
        return process.waitFor(30, TimeUnit.SECONDS);
    }

    @Test
    void whoIsSeenAfterEmptyLooksEnds() throws Exception {
        sweep(NOBODY, NOBODY, itself());

        assertThat(hasEnded()).isTrue();
    }

    @Test
    void whoIsSeenAfterDoubtsEnds() throws Exception {
        sweep(DOUBT, DOUBT, DOUBT, DOUBT, itself());

        assertThat(hasEnded()).isTrue();
    }

    @Test
    void threeLooksThatFindNobodyAreTheEnd() {
        sweep(NOBODY, DOUBT, NOBODY, NOBODY, NOBODY, itself());

        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void whoNeverGoesIsLeft() {
        var looks = new AtomicInteger();

        Sweep.end(() -> {
            looks.incrementAndGet();
            return DOUBT;
        });

        assertThat(looks).hasValue(30);
    }
}

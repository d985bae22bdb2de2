package io.mcpbridge.workers.internal.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.workers.internal.mark.ProcessSweep.Scan;
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

/** When a sweep is over; the scans are scripted. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(60)
class ProcessSweepTest {
    private static final Scan EMPTY = new Scan(List.of(), true);
    private static final Scan INCOMPLETE = new Scan(List.of(), false);

    private Process process;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private Scan itself() {
        return new Scan(List.of(process.toHandle()), true);
    }

    private static void sweep(Scan... scans) {
        Queue<Scan> left = new ArrayDeque<>(List.of(scans));
        ProcessSweep.killAll(() -> left.isEmpty() ? EMPTY : left.remove());
    }

    private boolean hasEnded() throws InterruptedException {
        return process.waitFor(30, TimeUnit.SECONDS);
    }

    @Test
    void processFoundAfterEmptyScansIsKilled() throws Exception {
        sweep(EMPTY, EMPTY, itself());

        assertThat(hasEnded()).isTrue();
    }

    @Test
    void processFoundAfterIncompleteScansIsKilled() throws Exception {
        sweep(INCOMPLETE, INCOMPLETE, INCOMPLETE, INCOMPLETE, itself());

        assertThat(hasEnded()).isTrue();
    }

    @Test
    void threeEmptyScansInARowEndTheSweep() {
        sweep(EMPTY, INCOMPLETE, EMPTY, EMPTY, EMPTY, itself());

        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void sweepGivesUpAfterThirtyScans() {
        var scans = new AtomicInteger();

        ProcessSweep.killAll(() -> {
            scans.incrementAndGet();
            return INCOMPLETE;
        });

        assertThat(scans).hasValue(30);
    }
}

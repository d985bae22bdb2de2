package io.mcpbridge.process;

import static io.mcpbridge.process.Children.command;
import static io.mcpbridge.process.Children.exitCode;
import static io.mcpbridge.process.Children.output;
import static io.mcpbridge.process.Children.running;
import static io.mcpbridge.process.Children.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
@EnabledOnOs(OS.LINUX)
class TreeTerminationTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);

    /** Long enough for a shell to run its trap on a busy machine. */
    private static final Duration TIME_FOR_LAST_WORDS = Duration.ofSeconds(3);

    private static final long PIPE_CAPACITY = 64 << 10;

    private final PlainProcessLauncher launcher = new PlainProcessLauncher();

    @AfterEach
    void close() {
        launcher.close();
    }

    @Test
    void childThatReadsItsInputEndsByItself() throws Exception {
        var child = launcher.launch(shell("cat; exit 7"));

        child.end(LONG);

        assertThat(exitCode(child)).isEqualTo(7);
    }

    @Test
    @DisplayName("E6: a child that ignores the end of its input gets TERM")
    void childThatIgnoresTheEndOfInputGetsTerm() throws Exception {
        var child = launcher.launch(command("sleep", "1000"));

        child.end(SHORT);

        assertThat(exitCode(child)).isEqualTo(128 + 15);
    }

    @Test
    @DisplayName("E6: a child that ignores TERM too gets KILL, within bounded time")
    void childThatIgnoresTermGetsKill() throws Exception {
        var child = launcher.launch(shell("trap '' TERM; echo ready; while :; do sleep 1000; done"));
        awaitReady(child);
        var begin = System.nanoTime();

        child.end(SHORT);

        assertThat(exitCode(child)).isEqualTo(128 + 9);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    @DisplayName("E6: a child that is stopped gets KILL")
    void stoppedChildGetsKill() throws Exception {
        var child = launcher.launch(shell("kill -STOP $$"));

        child.end(SHORT);

        assertThat(exitCode(child)).isEqualTo(128 + 9);
    }

    @Test
    @DisplayName("E14: a child whose input is full ends although a write is blocked")
    void blockedWriteDoesNotDelayTheEnd() throws Exception {
        var child = launcher.launch(command("sleep", "1000"));
        var written = new AtomicLong();
        var writer = new Thread(() -> writeForEver(child, written));
        writer.start();
        await().atMost(30, TimeUnit.SECONDS).until(() -> written.get() == PIPE_CAPACITY);

        child.end(SHORT);
        writer.join(30_000);

        assertThat(exitCode(child)).isEqualTo(128 + 15);
        assertThat(writer.isAlive()).isFalse();
    }

    @Test
    @DisplayName("E15: output of a child on TERM is not lost")
    void outputOnTermIsNotLost() throws Exception {
        var child = launcher.launch(shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.05; done"));
        awaitReady(child);

        child.end(TIME_FOR_LAST_WORDS);

        assertThat(output(child)).isEqualTo("bye\n");
    }

    @Test
    @DisplayName("E7: grandchildren are ended too")
    void grandchildrenAreEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var child = launcher.launch(shell("sleep " + seconds + " & echo ready; wait"));
        awaitReady(child);

        child.end(SHORT);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: grandchildren that ignore TERM are ended too")
    void grandchildrenThatIgnoreTermAreEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var stubborn = "trap '' TERM; echo ready; while :; do sleep " + seconds + "; done";
        var child = launcher.launch(shell("sh -c \"" + stubborn + "\" & cat"));
        awaitReady(child);

        child.end(SHORT);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: grandchildren of a crashed child are found by the streams they hold")
    void grandchildrenOfACrashedChildAreEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var child = launcher.launch(shell("sleep " + seconds + " & echo ready; read line; kill -KILL $$"));
        awaitReady(child);
        child.stdin().write('\n');
        assertThat(exitCode(child)).isEqualTo(128 + 9);
        // A shell is still a shell for a moment after it forked.
        await().atMost(30, TimeUnit.SECONDS).until(() -> running(seconds) == 1);

        child.end(SHORT);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: a grandchild in its own session is found by the streams it holds")
    void grandchildInItsOwnSessionIsEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var child = launcher.launch(shell("setsid sh -c 'sleep " + seconds + " & echo ready'; cat"));
        awaitReady(child);

        child.end(LONG);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: grandchildren of children that end at the same time are ended for each of them")
    void grandchildrenOfManyChildrenAreEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var endings = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 8; i++) {
            var child = launcher.launch(shell("setsid sh -c 'sleep " + seconds + " & echo ready'; cat"));
            awaitReady(child);
            endings.add(CompletableFuture.runAsync(() -> child.end(LONG), task -> new Thread(task).start()));
        }

        CompletableFuture.allOf(endings.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: a child whose guard was killed is ended too")
    void childOfAKilledGuardIsEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var guard = List.of("sh", "-c", "\"$@\" & echo ready; wait", "guard");
        var child = launcher.launch(command("sleep", seconds).guardedBy(guard));
        awaitReady(child);
        ProcessHandle.of(child.pid()).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(exitCode(child)).isEqualTo(128 + 9);

        child.end(LONG);

        assertThat(running(seconds)).isZero();
    }

    @Test
    @DisplayName("E7: a grandchild that holds no stream of the child is ended too")
    void grandchildWithoutStreamsIsEndedToo() throws Exception {
        var seconds = Children.unusedSeconds();
        var child = launcher.launch(shell("sleep " + seconds + " </dev/null >/dev/null 2>&1 & echo ready; cat"));
        awaitReady(child);

        child.end(LONG);

        assertThat(running(seconds)).isZero();
    }

    @Test
    void interruptShortensTheEndAndIsKept() throws Exception {
        var child = launcher.launch(command("sleep", "1000"));
        Thread.currentThread().interrupt();

        child.end(LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(child.onExit().toCompletableFuture()).isDone();
    }

    @Test
    @DisplayName("E6: many children end in the time of one")
    void manyChildrenEndInParallel() throws Exception {
        for (int i = 0; i < 20; i++) {
            awaitReady(launcher.launch(shell("trap '' TERM; echo ready; while :; do sleep 1000; done")));
        }
        var begin = System.nanoTime();

        launcher.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    }

    private static void awaitReady(ChildProcess child) throws IOException {
        assertThat(new String(child.stdout().readNBytes(6), StandardCharsets.UTF_8))
                .isEqualTo("ready\n");
    }

    private static void writeForEver(ChildProcess child, AtomicLong written) {
        var bytes = new byte[4096];
        try {
            while (true) {
                child.stdin().write(bytes);
                written.addAndGet(bytes.length);
            }
        } catch (IOException ended) {
            // That is how it ends.
        }
    }
}

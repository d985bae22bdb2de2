package io.mcpbridge.sandbox.launch;

import static io.mcpbridge.testkit.contract.LauncherFixture.command;
import static io.mcpbridge.testkit.contract.LauncherFixture.exitCode;
import static io.mcpbridge.testkit.contract.LauncherFixture.shell;
import static io.mcpbridge.testkit.contract.LauncherFixture.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.launch.SandboxLauncher.UsageMonitor;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** How children are monitored; the test moves the clock. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UsageMonitorTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final UsageMonitor monitor = new UsageMonitor(time);
    private final PlainProcessLauncher plain = new PlainProcessLauncher();

    @AfterEach
    void close() {
        monitor.close();
        plain.close();
    }

    private SandboxedProcess monitored(ChildProcess child, ProcessLimits limits) {
        var held = new SandboxedProcess(child, SandboxLevel.L0, limits, false);
        monitor.add(held);
        return held;
    }

    private void checkUntilEnded(SandboxedProcess child) {
        Eventually.holds("the end of the child", () -> {
            time.advance(UsageMonitor.EVERY);
            return child.onExit().toCompletableFuture().isDone();
        });
    }

    @Test
    void childOverItsLimitIsEndedByTheNextCheck() throws Exception {
        var child = monitored(plain.launch(shell("sleep 100 & sleep 100")), ProcessLimits.NONE.withProcesses(1));
        Eventually.holds(
                "its processes",
                () -> ProcessHandle.of(child.pid()).orElseThrow().children().count() == 2);

        time.advance(UsageMonitor.EVERY.minusMillis(1));
        assertThat(child.onExit().toCompletableFuture()).isNotDone();
        time.advance(Duration.ofMillis(1));

        assertThat(exitCode(child)).isEqualTo(137);
        assertThat(text(child.stderr()))
                .isEqualTo("[mcp-bridge] ended by the sandbox: it had 3 processes; 'max-processes' is 1\n");
    }

    @Test
    void failingCheckIsFollowedByAnother() throws Exception {
        var unlucky = new Unlucky(plain.launch(command("cat")).pid());
        monitored(unlucky, ProcessLimits.NONE.withProcesses(1));
        var hog = monitored(plain.launch(command("tail", "/dev/zero")), ProcessLimits.NONE.withMemoryBytes(32 << 20));

        checkUntilEnded(hog);

        assertThat(unlucky.checks).hasPositiveValue();
        assertThat(text(hog.stderr())).contains("'max-memory' is 32 MiB");
    }

    @Test
    void childThatUsesTooMuchCpuTimeIsEnded() throws Exception {
        var child = monitored(
                plain.launch(shell("while :; do :; done")), ProcessLimits.NONE.withCpuTime(Duration.ofMillis(300)));

        checkUntilEnded(child);

        assertThat(text(child.stderr()))
                .isEqualTo("[mcp-bridge] ended by the sandbox: it used more than 300 ms of CPU time ('max-cpu')\n");
    }

    @Test
    void onlyTheDescendantThatUsesTooMuchCpuTimeIsEnded() throws Exception {
        var script = "sh -c 'while :; do :; done'; echo $?; exec 1>&-; read -r line";
        var child = monitored(plain.launch(shell(script)), ProcessLimits.NONE.withCpuTime(Duration.ofMillis(200)));
        var said = CompletableFuture.supplyAsync(() -> read(child.stdout()));

        Eventually.holds("its word", () -> {
            time.advance(UsageMonitor.EVERY);
            return said.isDone();
        });
        child.stdin().close();

        assertThat(said.join()).isEqualTo("137\n");
        assertThat(exitCode(child)).isEqualTo(1);
        assertThat(text(child.stderr()))
                .contains("the sandbox ended a process that it had started: it used more than 200 ms of CPU time");
    }

    @Test
    void terminationWithoutAThreadIsTriedAgain() throws Exception {
        var child = new RecordingChild(plain.launch(shell("sleep 100 & sleep 100")));
        try (var threadless = new UsageMonitor(time, new ThreadlessAtFirst())) {
            threadless.add(new SandboxedProcess(child, SandboxLevel.L0, ProcessLimits.NONE.withProcesses(1), false));
            Eventually.holds("its end", () -> {
                time.advance(UsageMonitor.EVERY);
                return child.onExit().toCompletableFuture().isDone();
            });

            Eventually.holds("another try to end what it has left", () -> {
                time.advance(UsageMonitor.EVERY);
                return child.ends.get() > 0;
            });

            Eventually.holds("the last look", () -> {
                time.advance(UsageMonitor.EVERY);
                return time.pendingAlarms() == 0;
            });
            assertThat(child.ends).hasValue(1);
        }
    }

    @Test
    void nothingIsCheckedWithoutMonitoredChildren() throws Exception {
        var child = monitored(plain.launch(command("true")), ProcessLimits.NONE.withProcesses(1));
        assertThat(exitCode(child)).isZero();

        Eventually.holds("the last look", () -> {
            time.advance(UsageMonitor.EVERY);
            return time.pendingAlarms() == 0;
        });
    }

    private static String read(InputStream stream) {
        try {
            return text(stream);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Has no thread for the first piece of work. */
    private static final class ThreadlessAtFirst extends ThreadPoolExecutor {
        private final AtomicInteger works = new AtomicInteger();

        private ThreadlessAtFirst() {
            super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        }

        @Override
        public void execute(Runnable work) {
            if (works.getAndIncrement() == 0) {
                throw new OutOfMemoryError("made by the test");
            }
            super.execute(work);
        }
    }

    /** Counts how often it is ended. */
    private static final class RecordingChild implements ChildProcess {
        private final ChildProcess child;
        private final AtomicInteger ends = new AtomicInteger();

        private RecordingChild(ChildProcess child) {
            this.child = child;
        }

        @Override
        public long pid() {
            return child.pid();
        }

        @Override
        public OutputStream stdin() {
            return child.stdin();
        }

        @Override
        public InputStream stdout() {
            return child.stdout();
        }

        @Override
        public InputStream stderr() {
            return child.stderr();
        }

        @Override
        public CompletionStage<Integer> onExit() {
            return child.onExit();
        }

        @Override
        public void end(Duration timeout) {
            child.end(timeout);
            ends.incrementAndGet();
        }
    }

    /** A child of which nothing can be learned. */
    private static final class Unlucky implements ChildProcess {
        private final AtomicInteger checks = new AtomicInteger(-1);
        private final long pid;

        private Unlucky(long pid) {
            this.pid = pid;
        }

        @Override
        public long pid() {
            if (checks.incrementAndGet() > 0) {
                throw new OutOfMemoryError("made by the test");
            }
            return pid;
        }

        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream stdout() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream stderr() {
            return InputStream.nullInputStream();
        }

        @Override
        public CompletionStage<Integer> onExit() {
            return new CompletableFuture<>();
        }

        @Override
        public void end(Duration timeout) {}
    }
}

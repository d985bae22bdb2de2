package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.CallException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkerGroupTest {
    private final PoolExecutors threads = new PoolExecutors();
    private final PlainProcessLauncher launcher = new PlainProcessLauncher();

    @AfterEach
    void close() {
        launcher.close();
        threads.close();
    }

    /** A group of one worker. */
    private WorkerGroup group(Callable<Worker> launch) {
        var options = WorkerOptions.builder()
                .warm(0)
                .most(1)
                .maxWait(Duration.ofSeconds(60))
                .build();
        return new WorkerGroup(options, new WorkerCommandFactory(options, launcher, 256), threads, launch);
    }

    @Test
    void errorDuringAStartReachesTheWaitingCall() {
        var group = group(() -> {
            throw new NoClassDefFoundError("a/Launcher");
        });

        assertThatThrownBy(group::acquire)
                .isInstanceOf(CallException.class)
                .hasMessageContaining("no worker starts: a/Launcher");
    }

    @Test
    void endedWorkerIsNotGivenToTheWaitingCall() throws Exception {
        var group = group(this::startCat);
        var ended = group.acquire();
        var next = new FutureTask<>(group::acquire);
        threads.run(next);
        Eventually.holds("a call that waits", () -> group.state().waiting() == 1);
        ended.worker().kill();

        group.release(ended, WorkerResponse.STARTED);

        assertThat(next.get().worker()).isNotSameAs(ended.worker());
        group.close();
    }

    /** Starts a process that lives until its input ends. */
    private Worker startCat() throws InterruptedException {
        var child = launcher.launch(LaunchCommand.of(List.of("cat"), Map.of()));
        return new Worker(child, new StderrTail(child.stderr(), List.of()), threads, Optional.empty());
    }
}

package io.mcpbridge.sandbox.worker;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.sandbox.worker.internal.frame.Order;
import io.mcpbridge.sandbox.worker.internal.mark.BareProcesses;
import io.mcpbridge.sandbox.worker.internal.mark.WorkerMark;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Starts a worker and waits until it is warm; on a thread that may wait. Any thread may use it. */
final class WorkerStart implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** As many calls as it takes until the next one is as quick as those after it. */
    private static final int WARMING = 50;

    private static final String NOTHING = "io.mcpbridge.sandbox.worker.internal.child.Nothing";

    private final ProcessLauncher launcher;
    private final PoolThreads threads;
    private final Collection<String> secrets;
    private final BareProcesses bare = new BareProcesses();
    private final Set<Worker> unfinished = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    WorkerStart(ProcessLauncher launcher, PoolThreads threads, Collection<String> secrets) {
        this.launcher = launcher;
        this.threads = threads;
        this.secrets = secrets;
    }

    /**
     * A worker that waits for calls.
     *
     * @throws WorkerLostException if it ends instead, or takes too long
     */
    Worker start(Command command) throws WorkerLostException, InterruptedException {
        var child = launcher.launch(command);
        var lastWords = new LastWords(child.stderr(), secrets);
        threads.run(lastWords::read);
        var worker = new Worker(child, lastWords, threads, mark(command, child));
        unfinished.add(worker);
        var alarm = threads.later(PATIENCE, () -> threads.run(worker::kill));
        var isWarm = false;
        try {
            if (isClosed) {
                throw new WorkerLostException("the pool of workers is closed");
            }
            worker.awaitHello();
            warm(worker);
            isWarm = true;
            return worker;
        } finally {
            alarm.cancel(false);
            unfinished.remove(worker);
            if (!isWarm) {
                worker.kill();
            }
        }
    }

    /** From L2 on all that stem from it end with it. */
    private Optional<WorkerMark> mark(Command command, ChildProcess child) {
        return child.level().covers(SandboxLevel.L2) ? Optional.empty() : WorkerMark.of(command.variables(), bare);
    }

    /** Starts one, lets it end as programs do, and returns whether it did. */
    boolean train(Command command) throws InterruptedException {
        try {
            var worker = start(command);
            try {
                return worker.finish(PATIENCE);
            } finally {
                worker.kill();
            }
        } catch (WorkerLostException | BridgeException failed) {
            return false;
        }
    }

    /** Ends those that have not started yet. */
    @Override
    public void close() {
        isClosed = true;
        unfinished.forEach(worker -> threads.run(worker::kill));
    }

    private static void warm(Worker worker) throws WorkerLostException, InterruptedException {
        var arguments = Map.<String, Object>of("text", "warm", "number", 1L);
        for (int i = 0; i < WARMING; i++) {
            var order = new Order(NOTHING, "", "", PATIENCE.toNanos(), 1024, arguments);
            worker.run(order.written(), 1024);
        }
    }
}

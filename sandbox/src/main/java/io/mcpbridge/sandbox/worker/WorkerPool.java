package io.mcpbridge.sandbox.worker;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.SandboxLauncherProvider;
import io.mcpbridge.serve.ToolHandler;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs tools in processes of their own, which are there before a call comes: a call costs its way there and back.
 *
 * <p>Made by a program that serves tools, for as long as it serves; any thread may use it. Each worker is a Java virtual
 * machine and runs one call at a time. What takes too long, too much memory, or ends its process, ends its worker and
 * that call alone. When a call has ended, nothing of it runs any more; below L2 a process without parents that a tool has
 * started with an environment of its own can escape.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Duration TIDY_EVERY = Duration.ofSeconds(1);

    private final WorkerOptions options;
    private final ProcessLauncher launcher;
    private final boolean ownsLauncher;
    private final PoolThreads threads = new PoolThreads();
    private final WorkerStart start;
    private final ClassPath classPath;
    private final StartArchive archive;
    private final Map<Integer, WorkerGroup> groups = new ConcurrentHashMap<>();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private WorkerPool(WorkerOptions options, ProcessLauncher launcher, boolean ownsLauncher, Map<String, String> own) {
        this.options = options;
        this.launcher = launcher;
        this.ownsLauncher = ownsLauncher;
        this.start = new WorkerStart(launcher, threads, options.variables().values());
        this.classPath = ClassPath.of(options);
        this.archive = new StartArchive(classPath.places(), options.jvmOptions(), own);
        threads.every(TIDY_EVERY, () -> groups.values().forEach(WorkerGroup::tidy));
    }

    /** A pool without workers, which come with the tools; they are held as firmly as this machine can. */
    public static WorkerPool open(WorkerOptions options) {
        return new WorkerPool(options, sandbox(), true, System.getenv());
    }

    /** The same with workers that the environment's launcher starts, and an archive where its variables say. */
    public static WorkerPool open(WorkerOptions options, Environment environment) {
        return new WorkerPool(options, environment.launcher(), false, environment.variables());
    }

    private static ProcessLauncher sandbox() {
        return new SandboxLauncherProvider().open(Settings.of(Map.of()), new PlainProcessLauncher());
    }

    /**
     * Has calls run by this class, within the limits of the options.
     *
     * @throws IllegalArgumentException if workers cannot make one of it
     */
    public ToolHandler handler(Class<? extends SandboxedTool> tool) {
        return handler(tool, options.limits());
    }

    /**
     * Has calls run by this class, within limits of their own.
     *
     * @throws IllegalArgumentException if workers cannot make one of it
     */
    public ToolHandler handler(Class<? extends SandboxedTool> tool, ToolLimits limits) {
        ToolClass.require(tool);
        var workers = groups.computeIfAbsent(limits.maxMemoryMb(), this::group);
        workers.tidy();
        return new PooledTool(tool.getName(), limits, options, workers);
    }

    private WorkerGroup group(int maxMemoryMb) {
        var command = new WorkerCommand(options, classPath, launcher, maxMemoryMb);
        return new WorkerGroup(options, command, threads, () -> start(command));
    }

    /** On one of the pool's threads. The first worker does not wait for the archive that the next ones start from. */
    private Worker start(WorkerCommand command) throws WorkerLostException, InterruptedException {
        var worker = start.start(command.worker(archive.find()));
        threads.run(() -> archive.make(file -> start.train(command.training(file))));
        return worker;
    }

    /** What there is now. */
    public PoolState state() {
        return groups.values().stream().map(WorkerGroup::state).reduce(new PoolState(0, 0, 0, 0, ""), PoolState::plus);
    }

    /** Ends all workers and the calls in them. Closing twice is harmless. */
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        groups.values().forEach(WorkerGroup::close);
        start.close();
        threads.close();
        if (ownsLauncher) {
            launcher.close();
        }
    }
}

package io.mcpbridge.workers;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.SandboxLauncherProvider;
import io.mcpbridge.server.ToolCall;
import io.mcpbridge.server.ToolHandler;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.workers.Worker.Lease;
import io.mcpbridge.workers.Worker.LostException;
import io.mcpbridge.workers.internal.frame.WorkerRequest;
import io.mcpbridge.workers.internal.frame.WorkerResponse;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import io.mcpbridge.workers.internal.mark.WorkerMark.EmptyEnvironments;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs served tools in worker processes that are started before calls arrive.
 *
 * <p>A program that serves tools keeps a pool open while it serves; any thread may use it. Each worker is a Java
 * virtual machine and runs one call at a time. A call that exceeds its time or memory, or ends its process, ends its
 * worker and affects no other call. When a call has ended, none of its threads or processes run any more. Below L2 one
 * exception exists: an orphan process that a tool has started with an environment of its own can escape.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Duration EVICT_EVERY = Duration.ofSeconds(1);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    /** The number of warm-up calls after which further ones hardly get faster. */
    private static final int WARM_UP_CALLS = 50;

    private static final int WARM_UP_BYTES = 1024;

    /** A name, so that this process does not load the class. */
    private static final String WARM_UP_TOOL = "io.mcpbridge.workers.internal.child.WorkerMain$WarmUpTool";

    private final WorkerOptions options;
    private final ProcessLauncher launcher;
    private final boolean ownsLauncher;
    private final PoolExecutors threads = new PoolExecutors();
    private final Map<Integer, WorkerGroup> groups = new ConcurrentHashMap<>();
    private final EmptyEnvironments emptyEnvironments = new EmptyEnvironments();

    /** The workers that start and are not in a group yet. */
    private final Set<Worker> starting = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean isClosed = new AtomicBoolean();

    private WorkerPool(WorkerOptions options, ProcessLauncher launcher, boolean ownsLauncher) {
        this.options = options;
        this.launcher = launcher;
        this.ownsLauncher = ownsLauncher;
        threads.every(EVICT_EVERY, () -> groups.values().forEach(WorkerGroup::evict));
    }

    /** Opens a pool at the highest sandbox level of this machine. Its workers start with the first handler. */
    public static WorkerPool open(WorkerOptions options) {
        var launcher = new SandboxLauncherProvider().open(Settings.of(Map.of()), new PlainProcessLauncher());
        return new WorkerPool(options, launcher, true);
    }

    /** Opens a pool that starts its workers with the launcher of the environment. */
    public static WorkerPool open(WorkerOptions options, Environment environment) {
        return new WorkerPool(options, environment.launcher(), false);
    }

    /**
     * Returns a handler whose calls run in workers, within the limits of the options.
     *
     * @param tool the class of which workers make an instance, by its name
     * @throws IllegalArgumentException if workers cannot make one
     */
    public ToolHandler handler(Class<? extends SandboxedTool> tool) {
        return handler(tool, options.limits());
    }

    /**
     * Returns a handler whose calls run in workers, within limits of their own.
     *
     * @param tool the class of which workers make an instance, by its name
     * @throws IllegalArgumentException if workers cannot make one
     */
    public ToolHandler handler(Class<? extends SandboxedTool> tool, ToolLimits limits) {
        requireInstantiable(tool);
        var group = groups.computeIfAbsent(limits.maxMemoryMb(), this::group);
        group.evict();
        return new PooledTool(tool.getName(), limits, group);
    }

    /** Checks the class when the tool is registered, rather than at its first call. */
    private static void requireInstantiable(Class<? extends SandboxedTool> tool) {
        if (tool.isHidden()) {
            throw unusable(tool, "it has no name that another process could find, as lambdas have none; write a class");
        }
        if (Modifier.isAbstract(tool.getModifiers())) {
            throw unusable(tool, "it is abstract; name a class that can be made");
        }
        if (Arrays.stream(tool.getDeclaredConstructors()).noneMatch(each -> each.getParameterCount() == 0)) {
            throw unusable(
                    tool,
                    "it has no constructor without arguments; add one, and make a class within another one static");
        }
    }

    private static IllegalArgumentException unusable(Class<?> tool, String why) {
        return new IllegalArgumentException("'%s' cannot run in workers: %s".formatted(tool.getName(), why));
    }

    private WorkerGroup group(int maxMemoryMb) {
        var command = new WorkerCommandFactory(options, launcher, maxMemoryMb);
        return new WorkerGroup(options, command, threads, () -> start(command.command()));
    }

    /**
     * Starts a worker and waits until it is warm.
     *
     * @throws LostException if it ends, or does not respond in time
     */
    private Worker start(LaunchCommand command) throws LostException, InterruptedException {
        var child = launcher.launch(command);
        var stderr = new StderrTail(child.stderr(), options.variables().values());
        threads.run(stderr::read);
        var worker = new Worker(child, stderr, threads, mark(command, child));
        starting.add(worker);
        var timeout = threads.later(START_TIMEOUT, () -> threads.run(worker::kill));
        var isWarm = false;
        try {
            if (isClosed.get()) {
                throw new LostException("the pool of workers is closed");
            }
            worker.awaitStart();
            warmUp(worker);
            isWarm = true;
            return worker;
        } finally {
            timeout.cancel(false);
            starting.remove(worker);
            if (!isWarm) {
                worker.kill();
            }
        }
    }

    /** The mark of a worker; empty from L2 on, where the system ends all descendants with the worker. */
    private Optional<WorkerMark> mark(LaunchCommand command, ChildProcess child) {
        return child.level().covers(SandboxLevel.L2)
                ? Optional.empty()
                : WorkerMark.of(command.variables(), emptyEnvironments);
    }

    private static void warmUp(Worker worker) throws LostException, InterruptedException {
        var arguments = Map.<String, Object>of("text", "warm", "number", 1L);
        for (int i = 0; i < WARM_UP_CALLS; i++) {
            worker.run(new WorkerRequest(i, WARM_UP_TOOL, "", "", START_TIMEOUT.toNanos(), WARM_UP_BYTES, arguments));
        }
    }

    /** The current numbers of workers and of waiting calls. */
    public PoolState state() {
        return groups.values().stream().map(WorkerGroup::state).reduce(new PoolState(0, 0, 0, 0, ""), PoolState::plus);
    }

    /** Ends all workers and their calls. A second call does nothing. */
    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        groups.values().forEach(WorkerGroup::close);
        starting.forEach(worker -> threads.run(worker::kill));
        threads.close();
        if (ownsLauncher) {
            launcher.close();
        }
    }

    /** Runs the calls of one tool in workers. Any thread may use it; each blocks for its call. */
    private final class PooledTool implements ToolHandler {
        private final String className;
        private final ToolLimits limits;
        private final WorkerGroup workers;

        private PooledTool(String className, ToolLimits limits, WorkerGroup workers) {
            this.className = className;
            this.limits = limits;
            this.workers = workers;
        }

        @Override
        public String sandbox() {
            return workers.level().name();
        }

        @Override
        public @Nullable Object handle(ToolCall call) throws Exception {
            requireSendable(call);
            var lease = workers.acquire();
            var timeout = lease.terminateAfter(limits.maxExecution());
            call.onCancel(reason -> lease.terminate(Lease.Reason.CANCELLED));
            try {
                return result(call.tool(), run(request(call), lease));
            } finally {
                timeout.cancel(false);
            }
        }

        /** Checks the arguments before the call takes a worker. */
        private static void requireSendable(ToolCall call) {
            try {
                WorkerRequest.requireSendable(call.arguments());
            } catch (IllegalArgumentException unsendable) {
                throw WorkerErrors.unsendable(call.tool(), unsendable);
            }
        }

        private WorkerRequest request(ToolCall call) {
            return new WorkerRequest(
                    ThreadLocalRandom.current().nextLong(),
                    className,
                    call.tool(),
                    call.correlationId(),
                    least(limits.maxExecution(), call.remaining()).toNanos(),
                    options.maxResultBytes(),
                    call.arguments());
        }

        private static Duration least(Duration one, Duration other) {
            return one.compareTo(other) <= 0 ? one : other;
        }

        /** Runs the call, then releases or drops the worker. */
        private WorkerResponse run(WorkerRequest request, Lease lease) throws Exception {
            @Nullable WorkerResponse response = null;
            try {
                response = lease.worker().run(request);
                if (lease.complete()) {
                    return response;
                }
                throw failure(request.tool(), lease, "");
            } catch (LostException lost) {
                var ignored = lease.complete();
                throw failure(request.tool(), lease, String.valueOf(lost.getMessage()));
            } finally {
                if (response == null || lease.reason().isPresent()) {
                    // A call ends only after all processes that it started have ended.
                    lease.worker().kill();
                    workers.lost(lease);
                } else {
                    workers.release(lease, response);
                }
            }
        }

        private Exception failure(String tool, Lease lease, String how) {
            var reason = lease.reason();
            if (reason.isEmpty()) {
                return WorkerErrors.crashed(tool, how, limits.maxMemoryMb());
            }
            return switch (reason.get()) {
                case TIMED_OUT -> WorkerErrors.timedOut(tool, limits.maxExecution());
                case CANCELLED -> new InterruptedException("'%s' was cancelled, and its worker killed".formatted(tool));
                case POOL_CLOSED -> WorkerErrors.closed(Delivery.UNKNOWN);
            };
        }

        private @Nullable Object result(String tool, WorkerResponse response) throws ToolFailedException {
            return switch (response.status()) {
                case DONE -> response.value();
                case TOO_LARGE -> throw WorkerErrors.tooLarge(tool, options.maxResultBytes());
                default -> throw new ToolFailedException(String.valueOf(response.value()));
            };
        }

        /** Thrown if a tool threw an exception in its worker; has the message of that exception. */
        private static final class ToolFailedException extends Exception {
            private static final long serialVersionUID = 1L;

            private ToolFailedException(String message) {
                super(message);
            }
        }
    }
}

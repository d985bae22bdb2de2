package io.mcpbridge.process;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts children as plain processes of the bridge's user.
 *
 * <p>One platform thread starts all children and lives until {@link #close}: Linux sends a child its parent-death
 * signal when the <em>thread</em> that started it ends. The front door or the daemon opens and closes the launcher; any
 * thread may use it.
 */
public final class PlainProcessLauncher implements ProcessLauncher {
    /** Short, since desktop clients kill the bridge two seconds after they asked it to end. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

    private final ExecutorService spawner =
            Executors.newSingleThreadExecutor(work -> BackgroundThreads.of("spawner", work));
    private final boolean ownSessions;
    private final PipeHolders pipeHolders = new PipeHolders();
    private final Set<LaunchedProcess> children = ConcurrentHashMap.newKeySet();
    private volatile boolean isUsed;
    private volatile boolean isClosed;

    /** Creates a launcher whose thread does not keep the JVM alive. */
    public PlainProcessLauncher() {
        this(false);
    }

    private PlainProcessLauncher(boolean ownSessions) {
        this.ownSessions = ownSessions;
    }

    /**
     * Creates a launcher whose children have sessions of their own, if {@code setsid} is installed. The interrupt key
     * of the terminal then does not reach them, and closing the launcher ends them in order. For programs that close
     * their launcher when they are interrupted.
     */
    public static PlainProcessLauncher apart() {
        return new PlainProcessLauncher(true);
    }

    /** The file that a command would start now, on the child's own search path; empty if there is none. */
    public static Optional<Path> program(LaunchCommand command) {
        return new ProcessStart(command, false).file();
    }

    /** Why the program of a command would not start now, in a sentence; empty if it would, or if that is unknown. */
    public static Optional<String> programProblem(LaunchCommand command) {
        return new ProcessStart(command, false).programProblem();
    }

    @Override
    public ChildProcess launch(LaunchCommand command) throws InterruptedException {
        var start = new ProcessStart(command, ownSessions);
        start.requireValid();
        start.requirePlain();
        var started = new CompletableFuture<LaunchedProcess>();
        try {
            requireOpen();
            isUsed = true;
            spawner.execute(() -> start(start, started));
        } catch (RejectedExecutionException closed) {
            throw failed(start.refusal("the launcher is closed"), closed);
        }
        return await(start, started);
    }

    private void requireOpen() {
        if (isClosed) {
            throw new RejectedExecutionException("closed");
        }
    }

    /**
     * Ends all children and their descendants together, and then the spawning thread. The order matters: children that
     * end with the thread would be gone before the launcher has found their descendants.
     */
    @Override
    public void close() {
        isClosed = true;
        if (isUsed && !spawner.isShutdown()) {
            awaitStarts();
        }
        TreeTermination.end(List.copyOf(children), pipeHolders, CLOSE_TIMEOUT);
        children.clear();
        spawner.shutdown();
    }

    /** Waits for a start in progress, so that its child is ended too. */
    private void awaitStarts() {
        try {
            spawner.submit(() -> {}).get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            // The known children are ended all the same.
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException | RejectedExecutionException stuck) {
            // The child is ended as soon as it has started, or another thread has closed the launcher.
        }
    }

    private void start(ProcessStart start, CompletableFuture<LaunchedProcess> started) {
        if (started.isDone()) {
            return;
        }
        try {
            var child = start.start(pipeHolders);
            children.add(child);
            child.onExit().thenRun(() -> children.remove(child));
            if (!started.complete(child) || isClosed) {
                child.end(Duration.ZERO);
            }
        } catch (IOException | RuntimeException failed) {
            started.completeExceptionally(failed);
        }
    }

    private static ChildProcess await(ProcessStart start, CompletableFuture<LaunchedProcess> started)
            throws InterruptedException {
        try {
            return started.get();
        } catch (InterruptedException interrupted) {
            if (!started.completeExceptionally(interrupted)) {
                endIfStarted(started);
            }
            throw interrupted;
        } catch (ExecutionException failed) {
            var cause = failed.getCause() == null ? failed : failed.getCause();
            throw failed(start.refusal(cause), cause);
        }
    }

    private static void endIfStarted(CompletableFuture<LaunchedProcess> started) {
        try {
            started.join().end(Duration.ZERO);
        } catch (CompletionException neverStarted) {
            // There is no child to end, and the caller gets the interrupt.
        }
    }

    private static TransportException failed(String message, Throwable cause) {
        return TransportException.of(
                Failure.of(ErrorCode.PROVIDER_INIT_FAILED, message).withCause(cause));
    }
}

package io.mcpbridge.process;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
 * Starts children as plain processes of our own user.
 *
 * <p>One platform thread starts them all and lives until {@link #close}: Linux sends a child its parent-death
 * signal when the <em>thread</em> that started it ends. The front door or the daemon opens and closes it; any thread
 * may use it.
 */
public final class PlainProcessLauncher implements ProcessLauncher {
    /** Short: desktop clients kill us two seconds after they asked us to end. */
    private static final Duration CLOSE_PATIENCE = Duration.ofMillis(500);

    private final ExecutorService spawner = Executors.newSingleThreadExecutor(PlainProcessLauncher::thread);
    private final boolean ownSessions;
    private final PipeHolders pipeHolders = new PipeHolders();
    private final Set<LaunchedProcess> children = ConcurrentHashMap.newKeySet();
    private volatile boolean isUsed;
    private volatile boolean isClosed;

    /** A launcher whose thread does not keep the JVM alive. */
    public PlainProcessLauncher() {
        this(false);
    }

    private PlainProcessLauncher(boolean ownSessions) {
        this.ownSessions = ownSessions;
    }

    /**
     * A launcher whose children have sessions of their own where {@code setsid} is installed: the interrupt key of our
     * terminal does not reach them, so that they end in good order with us. For programs that close their launcher when
     * they are interrupted.
     */
    public static PlainProcessLauncher apart() {
        return new PlainProcessLauncher(true);
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
     * Ends every child and everything that the children started, all at once, then the spawning thread: children that end
     * with that thread would be gone before we have seen what they started.
     */
    @Override
    public void close() {
        isClosed = true;
        if (isUsed && !spawner.isShutdown()) {
            awaitStarts();
        }
        TreeTermination.end(List.copyOf(children), pipeHolders, CLOSE_PATIENCE);
        children.clear();
        spawner.shutdown();
    }

    /** Waits for a child that is being started right now, so that it is among those that are ended. */
    private void awaitStarts() {
        try {
            spawner.submit(() -> {}).get(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            // The children that are known are ended all the same.
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException | RejectedExecutionException stuck) {
            // It is ended as soon as it has started, or another thread has closed the launcher.
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
            // Then there is no child to end, and the caller gets the interrupt.
        }
    }

    private static TransportException failed(String message, Throwable cause) {
        return TransportException.of(
                Failure.of(ErrorCode.PROVIDER_INIT_FAILED, message).withCause(cause));
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "mcp-bridge-spawner");
        thread.setDaemon(true);
        return thread;
    }
}

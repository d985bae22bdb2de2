package io.mcpbridge.process;

import io.mcpbridge.spi.ChildProcess;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A child that {@link PlainProcessLauncher} has started. Any thread may use it. */
final class LaunchedProcess implements ChildProcess {
    private static final int KILLED = 128 + 9;

    private final Process process;
    private final ProcessTree tree;
    private final StdinStream stdin;
    private final HolderSearch search;
    private final CompletionStage<Integer> exit;
    private volatile @Nullable Long hungUpAt;

    private LaunchedProcess(Process process, ProcessTree tree, HolderSearch search) {
        this.process = process;
        this.tree = tree;
        this.search = search;
        this.stdin = new StdinStream(process.getOutputStream());
        this.exit = process.onExit().thenApply(this::collected);
    }

    static LaunchedProcess of(Process process, HolderSearch search) {
        return new LaunchedProcess(process, ProcessTree.of(process.toHandle()), search);
    }

    /** A process that only guards the child and must not be asked to end before it. */
    static LaunchedProcess guarded(Process guard, HolderSearch search) {
        return new LaunchedProcess(guard, ProcessTree.guarded(guard.toHandle()), search);
    }

    /** From here on the number may be anybody's, even within the tick of the clock that tells processes apart. */
    private int collected(Process ended) {
        tree.forgetRoot();
        return ended.exitValue();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public OutputStream stdin() {
        return stdin;
    }

    @Override
    public InputStream stdout() {
        return process.getInputStream();
    }

    @Override
    public InputStream stderr() {
        return process.getErrorStream();
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return exit;
    }

    @Override
    public void hangUp() {
        tree.look();
        closeStdin();
        if (hungUpAt == null) {
            hungUpAt = System.nanoTime();
        }
        tree.terminate();
    }

    /** Whether it and what it started have had TERM. */
    boolean isHungUp() {
        return hungUpAt != null;
    }

    /** How much of this patience is left since it was hung up; all of it if it was not. */
    Duration rest(Duration patience) {
        var since = hungUpAt;
        if (since == null) {
            return patience;
        }
        var rest = patience.minusNanos(System.nanoTime() - since);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    public void end(Duration patience) {
        TreeEnding.end(List.of(this), search, patience);
    }

    ProcessTree tree() {
        return tree;
    }

    /**
     * Whether processes may be there that are no descendants any more. Behind a guard the kernel ends them all, though
     * not at once if the guard was killed.
     */
    boolean mayLeaveOthers() {
        return !tree.isGuarded() || (!process.isAlive() && process.exitValue() == KILLED);
    }

    void closeStdin() {
        stdin.close();
    }

    /** Whether the child was collected, so that its exit code is known, and nobody of its tree is left. */
    boolean isGone() {
        return exit.toCompletableFuture().isDone() && tree.isGone();
    }
}

package io.mcpbridge.process;

import io.mcpbridge.spi.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A child that {@link PlainProcessLauncher} has started. Any thread may use it. */
final class LaunchedProcess implements ChildProcess {
    private static final int EXIT_KILLED = 128 + 9;

    private final Process process;
    private final ProcessTree tree;
    private final Stdin stdin;
    private final PipeHolders pipeHolders;
    private final CompletionStage<Integer> exit;
    private volatile @Nullable Long hungUpAt;

    /** @param isGuard whether the process only guards the child; it must not get TERM before the child */
    LaunchedProcess(Process process, boolean isGuard, PipeHolders pipeHolders) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), isGuard);
        this.pipeHolders = pipeHolders;
        this.stdin = new Stdin(process.getOutputStream());
        this.exit = exit(process, tree);
    }

    /**
     * Forgets the root when it has exited: from then on another process may get its id, even within one tick of the
     * clock that distinguishes processes.
     */
    private static CompletionStage<Integer> exit(Process process, ProcessTree tree) {
        return process.onExit().thenApply(ended -> {
            tree.forgetRoot();
            return ended.exitValue();
        });
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
        tree.update();
        closeStdin();
        if (hungUpAt == null) {
            hungUpAt = System.nanoTime();
        }
        tree.terminate();
    }

    @Override
    public void end(Duration timeout) {
        TreeTermination.end(List.of(this), pipeHolders, timeout);
    }

    /** Whether the child and its descendants have received TERM. */
    boolean isHungUp() {
        return hungUpAt != null;
    }

    /** How much of this time is left since the hang-up; all of it without a hang-up. */
    Duration remaining(Duration timeout) {
        var since = hungUpAt;
        if (since == null) {
            return timeout;
        }
        var remaining = timeout.minusNanos(System.nanoTime() - since);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    ProcessTree tree() {
        return tree;
    }

    /**
     * Whether orphans of the child may remain. If a guard ends, the kernel kills them all, but not at once if the guard
     * was killed.
     */
    boolean mayLeaveOrphans() {
        return !tree.isGuarded() || (!process.isAlive() && process.exitValue() == EXIT_KILLED);
    }

    void closeStdin() {
        stdin.close();
    }

    /** Whether the child was reaped, so that its exit code is known, and its tree has ended. */
    boolean isGone() {
        return exit.toCompletableFuture().isDone() && tree.isGone();
    }

    /**
     * A child's standard input, which can be closed while a write blocks.
     *
     * <p>In the JDK's stream {@code close} waits for the write, which blocks for ever if the child does not read. This
     * {@code close} never waits: the write in progress closes the stream when it ends. Nothing is buffered.
     */
    private static final class Stdin extends OutputStream {
        private final OutputStream pipe;
        private final ReentrantLock writing = new ReentrantLock();
        private volatile boolean isClosed;

        private Stdin(OutputStream pipe) {
            this.pipe = pipe;
        }

        @Override
        public void write(int oneByte) throws IOException {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            writing.lock();
            try {
                if (isClosed) {
                    throw new IOException("the child's standard input is closed");
                }
                pipe.write(bytes, from, length);
                // Flushed at once, so that closing has nothing left to write.
                pipe.flush();
            } finally {
                writing.unlock();
                if (isClosed) {
                    closeIfIdle();
                }
            }
        }

        @Override
        public void close() {
            isClosed = true;
            closeIfIdle();
        }

        private void closeIfIdle() {
            if (!writing.tryLock()) {
                return;
            }
            try {
                pipe.close();
            } catch (IOException gone) {
                // The child ended before its input was flushed; closing has not failed.
            } finally {
                writing.unlock();
            }
        }
    }
}

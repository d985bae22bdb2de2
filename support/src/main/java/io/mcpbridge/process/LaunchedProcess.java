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

    /** @param isGuard whether the process only guards the child and must not be asked to end before it */
    LaunchedProcess(Process process, boolean isGuard, PipeHolders pipeHolders) {
        this.process = process;
        this.tree = new ProcessTree(process.toHandle(), isGuard);
        this.pipeHolders = pipeHolders;
        this.stdin = new Stdin(process.getOutputStream());
        this.exit = exit(process, tree);
    }

    /** From then on another process may get its number, even within one tick of the clock that distinguishes processes. */
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
    public void end(Duration patience) {
        TreeTermination.end(List.of(this), pipeHolders, patience);
    }

    /** Whether it and its descendants have received TERM. */
    boolean isHungUp() {
        return hungUpAt != null;
    }

    /** How much of this patience is left since it was hung up; all of it if it was not. */
    Duration remaining(Duration patience) {
        var since = hungUpAt;
        if (since == null) {
            return patience;
        }
        var remaining = patience.minusNanos(System.nanoTime() - since);
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    ProcessTree tree() {
        return tree;
    }

    /**
     * Whether processes may exist that are no longer descendants. Behind a guard the kernel ends them all, though not at
     * once if the guard was killed.
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
     * A child's standard input, which can be closed while a write is stuck.
     *
     * <p>The JDK's stream would make {@code close} wait behind the write, and a child that does not read blocks that for
     * ever. Here {@code close} never waits: the write under way closes the stream when it ends. Nothing is buffered.
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
                // At once, so that closing has nothing left to write.
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
                // The child has gone before its input was flushed; that is no failure of closing.
            } finally {
                writing.unlock();
            }
        }
    }
}

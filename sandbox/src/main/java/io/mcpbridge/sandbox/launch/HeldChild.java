package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.SandboxLevel;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A child behind what holds it; to whoever uses it, it is the program itself. Any thread may use it. */
final class HeldChild implements ChildProcess {
    /** One that makes the namespace, and the first process there. */
    static final int GUARDS = 2;

    private final ChildProcess outer;
    private final Optional<ProcessHandle> handle;
    private final SandboxLevel level;
    private final Limits watched;
    private final int guards;
    private final LastWord lastWord = new LastWord();
    private final InputStream stderr;
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private volatile boolean isOverrun;
    private volatile @Nullable ProcessHandle program;

    /**
     * A child that was started.
     *
     * @param watched the limits that are ours to watch
     * @param isGuarded whether {@code outer} is what holds the program rather than the program itself
     */
    HeldChild(ChildProcess outer, SandboxLevel level, Limits watched, boolean isGuarded) {
        this.outer = outer;
        this.handle = ProcessHandle.of(outer.pid());
        this.level = level;
        this.watched = watched;
        this.guards = isGuarded ? GUARDS : 0;
        this.stderr = new SequenceInputStream(outer.stderr(), lastWord);
    }

    @Override
    public SandboxLevel level() {
        return level;
    }

    /** That of the program, once it is there. */
    @Override
    public long pid() {
        var known = program;
        if (guards == 0 || known != null) {
            return known == null ? outer.pid() : known.pid();
        }
        var found = handle.flatMap(HeldChild::first).flatMap(HeldChild::first);
        found.ifPresent(there -> program = there);
        return found.map(ProcessHandle::pid).orElse(outer.pid());
    }

    /** The oldest child of a process: the others in the namespace have lost their parents. */
    private static Optional<ProcessHandle> first(ProcessHandle process) {
        return process.children().min(Comparator.comparingLong(ProcessHandle::pid));
    }

    @Override
    public OutputStream stdin() {
        return outer.stdin();
    }

    @Override
    public InputStream stdout() {
        return outer.stdout();
    }

    @Override
    public InputStream stderr() {
        return stderr;
    }

    @Override
    public CompletionStage<Integer> onExit() {
        return outer.onExit();
    }

    @Override
    public void hangUp() {
        outer.hangUp();
    }

    @Override
    public void end(Duration patience) {
        outer.end(patience);
    }

    /**
     * Looks what it uses, and kills it where that is too much; on the thread of the watch, which must not wait.
     *
     * @param ending sees to what is left of it then
     */
    void check(Executor ending) {
        // Its number may be somebody else's once it has ended.
        var isThere = handle.filter(ProcessHandle::isAlive).isPresent();
        if (isThere) {
            look();
        }
        if (isOverrun) {
            endBy(ending);
        }
    }

    private void look() {
        var use = TreeUse.of(outer.pid(), guards);
        if (!isOverrun) {
            use.overrun(watched).ifPresent(this::overrun);
        }
        if (isOverrun) {
            handle.ifPresent(HeldChild::kill);
        } else {
            use.endBusy(watched.cpuTime())
                    .ifPresent(why -> lastWord.say(
                            "[mcp-bridge] the sandbox ended a process that it had started: " + why + "\n"));
        }
    }

    /** Whether it is to be ended here, and nobody has begun to see to what it leaves. */
    boolean isToBeEnded() {
        return isOverrun && !isEnding.get();
    }

    /** Whether somebody sees to what it leaves, so that nothing is to be watched any more. */
    boolean isEnding() {
        return isEnding.get();
    }

    private void overrun(String why) {
        lastWord.say("[mcp-bridge] ended by the sandbox: " + why + "\n");
        isOverrun = true;
    }

    /** It goes first, so that it says nothing of the end of the others, who cannot be told any more once it is gone. */
    private static void kill(ProcessHandle process) {
        var others = process.descendants().toList();
        process.destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
    }

    /** Once; the next look tries again where that fails. */
    private void endBy(Executor ending) {
        if (!isEnding.get()) {
            ending.execute(() -> outer.end(Duration.ZERO));
            isEnding.set(true);
        }
    }
}

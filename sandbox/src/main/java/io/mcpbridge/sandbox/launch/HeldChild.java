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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A child behind what holds it; to whoever uses it, it is the program itself. Any thread may use it. */
final class HeldChild implements ChildProcess {
    /** One that makes the namespace, and the first process there. */
    static final int GUARDS = 2;

    private final ChildProcess outer;
    private final Optional<ProcessHandle> handle;
    private final SandboxLevel level;
    private final Limits limits;
    private final int guards;
    private final LastWord lastWord = new LastWord();
    private final InputStream stderr;
    private final AtomicBoolean isOverrun = new AtomicBoolean();
    private volatile @Nullable ProcessHandle program;

    /** @param isGuarded whether {@code outer} is what holds the program rather than the program itself */
    HeldChild(ChildProcess outer, SandboxLevel level, Limits limits, boolean isGuarded) {
        this.outer = outer;
        this.handle = ProcessHandle.of(outer.pid());
        this.level = level;
        this.limits = limits;
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

    /** Looks what it uses, and ends it where that is too much; on the thread of the watch, which must not wait. */
    void check() {
        if (isOverrun.get()) {
            return;
        }
        var overrun = TreeUse.overrun(outer.pid(), guards, limits);
        if (overrun.isPresent() && isOverrun.compareAndSet(false, true)) {
            lastWord.say("[mcp-bridge] ended by the sandbox: " + overrun.get() + "\n");
            handle.ifPresent(ProcessHandle::destroyForcibly);
            var ending = new Thread(() -> outer.end(Duration.ZERO), "mcp-bridge-sandbox-end-" + outer.pid());
            ending.setDaemon(true);
            ending.start();
        }
    }
}

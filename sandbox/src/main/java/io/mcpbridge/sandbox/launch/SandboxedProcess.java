package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A child process in a sandbox. Callers see the program, not its wrappers. Any thread may use it. */
final class SandboxedProcess implements ChildProcess {
    /** The number of guard processes: the one that creates the namespace, and the first one in it. */
    static final int GUARDS = 2;

    private final ChildProcess outer;
    private final Optional<ProcessHandle> handle;
    private final SandboxLevel level;
    private final ProcessLimits monitored;
    private final int guards;
    private final InputStream stderr;

    /** Appended to the child's standard error; set before the child has ended. */
    private volatile String message = "";

    private volatile boolean isOverrun;
    private volatile boolean isEnding;
    private volatile @Nullable ProcessHandle program;

    /**
     * Wraps a child that was started.
     *
     * @param monitored the limits that the kernel does not enforce
     * @param isGuarded whether {@code outer} is a guard of the program rather than the program itself
     */
    SandboxedProcess(ChildProcess outer, SandboxLevel level, ProcessLimits monitored, boolean isGuarded) {
        this.outer = outer;
        this.handle = ProcessHandle.of(outer.pid());
        this.level = level;
        this.monitored = monitored;
        this.guards = isGuarded ? GUARDS : 0;
        this.stderr = new SequenceInputStream(new StderrParts());
    }

    @Override
    public SandboxLevel level() {
        return level;
    }

    /** The process id of the program once it has started, and of its guard before. */
    @Override
    public long pid() {
        var known = program;
        if (guards == 0) {
            return outer.pid();
        }
        // A helper of the wrapper may have been taken for the program while it started.
        if (known != null && known.isAlive()) {
            return known.pid();
        }
        var found = handle.flatMap(SandboxedProcess::first).flatMap(SandboxedProcess::first);
        found.ifPresent(there -> program = there);
        return found.map(ProcessHandle::pid).orElse(outer.pid());
    }

    /** The oldest child of a process; the others in the namespace are orphans. */
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
    public void end(Duration timeout) {
        outer.end(timeout);
    }

    /**
     * Checks the resource usage of the child, and kills it if a limit is exceeded. Runs on the thread of the monitor,
     * which must not wait.
     *
     * @param ending runs the termination of the remaining processes
     */
    void check(Executor ending) {
        // Another process may have its id once it has ended.
        var isThere = handle.filter(ProcessHandle::isAlive).isPresent();
        if (isThere) {
            checkUsage();
        }
        if (isOverrun) {
            endBy(ending);
        }
    }

    private void checkUsage() {
        var use = TreeUsage.of(outer.pid(), guards);
        if (!isOverrun) {
            use.overrun(monitored).ifPresent(this::overrun);
        }
        if (isOverrun) {
            handle.ifPresent(SandboxedProcess::kill);
        } else {
            use.endBusy(monitored.cpuTime())
                    .ifPresent(why ->
                            message = "[mcp-bridge] the sandbox ended a process that it had started: " + why + "\n");
        }
    }

    /**
     * Whether the child may still exceed a limit, or has exceeded one and its termination has not begun, perhaps for
     * lack of a thread.
     */
    boolean needsMonitoring() {
        var hasExited = onExit().toCompletableFuture().isDone();
        return !isEnding && (isOverrun || !hasExited);
    }

    private void overrun(String why) {
        message = "[mcp-bridge] ended by the sandbox: " + why + "\n";
        isOverrun = true;
    }

    /** Kills the root first, so that it does not report the end of the others; those are listed before. */
    private static void kill(ProcessHandle process) {
        var others = process.descendants().toList();
        process.destroyForcibly();
        others.forEach(ProcessHandle::destroyForcibly);
    }

    /** Starts the termination once; the next check tries again if that fails. */
    private void endBy(Executor ending) {
        if (!isEnding) {
            ending.execute(() -> outer.end(Duration.ZERO));
            isEnding = true;
        }
    }

    /** The child's own standard error, followed by the bridge's message if there is one by then. Used by one reader. */
    @SuppressWarnings("JdkObsolete") // SequenceInputStream takes no other type.
    private final class StderrParts implements Enumeration<InputStream> {
        private int count;

        @Override
        public boolean hasMoreElements() {
            return count < 2;
        }

        @Override
        public InputStream nextElement() {
            count++;
            return count == 1 ? outer.stderr() : new ByteArrayInputStream(message.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The resources that a process and its descendants use at one moment, read from {@code /proc}. */
    private static final class TreeUsage {
        private static final Path PROCESSES = Path.of("/proc");
        private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d{1,15}) kB");
        private static final Pattern SHARE = Pattern.compile("(?m)^Pss:\\s+(\\d{1,15}) kB");
        private static final int MIB = 1 << 20;

        /** Enough to detect a fork bomb without counting all its processes. */
        private static final int MAX_MEMBERS = 10_000;

        /** Linux reports CPU time in hundredths of a second, whatever the kernel's own clock rate. */
        private static final long TICK_MILLIS = 10;

        /** The index of a field of {@code stat} after the name, which may contain any character. */
        private static final int USER_TIME = 11;

        private static final int SYSTEM_TIME = 12;

        private final List<Path> members = new ArrayList<>();
        private final int guards;

        private TreeUsage(int guards) {
            this.guards = guards;
        }

        /**
         * Reads the current usage.
         *
         * @param root the process that was started
         * @param guards how many processes of the tree do not belong to the child; they come first
         */
        static TreeUsage of(long root, int guards) {
            var use = new TreeUsage(guards);
            use.add(PROCESSES.resolve(Long.toString(root)));
            return use;
        }

        /** Describes the limit that is exceeded; empty if none is. */
        Optional<String> overrun(ProcessLimits limits) {
            return tooMany(limits.processes())
                    .or(() -> tooMuch(limits.memoryBytes()))
                    .or(() -> members.stream()
                            .skip(guards)
                            .limit(1)
                            .flatMap(program -> cpuOverrun(program, limits.cpuTime()).stream())
                            .findFirst());
        }

        /** Kills each process other than the program that has used more CPU time; describes one of them. */
        Optional<String> endBusy(Duration most) {
            if (most.isZero()) {
                return Optional.empty();
            }
            var words = new ArrayList<String>();
            for (var member : members.subList(Math.min(members.size(), guards + 1), members.size())) {
                endIfBusy(member, most).ifPresent(words::add);
            }
            return words.stream().findFirst();
        }

        private Optional<String> tooMany(int most) {
            var count = members.size() - guards;
            return most > 0 && count > most
                    ? Optional.of("it had %d processes; 'max-processes' is %d".formatted(count, most))
                    : Optional.empty();
        }

        /**
         * Compares the memory with the limit. The proportional share, which counts shared pages once, takes longer to
         * read, so it is read only if the sum of resident memory exceeds the limit.
         */
        private Optional<String> tooMuch(long most) {
            if (most == 0 || sum("status", RESIDENT) <= most) {
                return Optional.empty();
            }
            var shares = sum("smaps_rollup", SHARE);
            return shares <= most
                    ? Optional.empty()
                    : Optional.of(
                            "it used %d MiB of memory; 'max-memory' is %d MiB".formatted(shares / MIB, most / MIB));
        }

        private long sum(String file, Pattern pattern) {
            long kilobytes = 0;
            for (var member : members) {
                var found = pattern.matcher(text(member.resolve(file)));
                kilobytes += found.find() ? Long.parseLong(found.group(1)) : 0;
            }
            return kilobytes << 10;
        }

        private void add(Path process) {
            members.add(process);
            // The list grows during the loop.
            for (int i = 0; i < members.size() && i < MAX_MEMBERS; i++) {
                addChildren(members.get(i));
            }
        }

        private void addChildren(Path process) {
            try (var threads = Files.newDirectoryStream(process.resolve("task"))) {
                for (var thread : threads) {
                    var children = new StringTokenizer(text(thread.resolve("children")));
                    while (children.hasMoreTokens()) {
                        members.add(PROCESSES.resolve(children.nextToken()));
                    }
                }
            } catch (IOException | DirectoryIteratorException gone) {
                // The process has ended and has no children.
            }
        }

        /**
         * Describes that a process has used more CPU time; empty if it has not, or if the limit is zero, which means
         * none.
         */
        private static Optional<String> cpuOverrun(Path process, Duration most) {
            return !most.isZero() && millis(process) > most.toMillis()
                    ? Optional.of("it used more than %s of CPU time ('max-cpu')".formatted(shown(most)))
                    : Optional.empty();
        }

        /** Kills a process that has used more CPU time; empty if it has not. */
        private static Optional<String> endIfBusy(Path process, Duration most) {
            if (cpuOverrun(process, most).isEmpty()) {
                return Optional.empty();
            }
            var handle = ProcessHandle.of(Long.parseLong(String.valueOf(process.getFileName())));
            // Checked again: another process may have got the id before the handle was created.
            var why = cpuOverrun(process, most);
            if (why.isPresent()) {
                handle.ifPresent(ProcessHandle::destroyForcibly);
            }
            return why;
        }

        private static long millis(Path process) {
            var stat = text(process.resolve("stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", SYSTEM_TIME + 2);
            return fields.length <= SYSTEM_TIME
                    ? 0
                    : (ticks(fields[USER_TIME]) + ticks(fields[SYSTEM_TIME])) * TICK_MILLIS;
        }

        private static long ticks(String text) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException unknown) {
                return 0;
            }
        }

        private static String shown(Duration span) {
            var millis = span.toMillis();
            return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
        }

        private static String text(Path file) {
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (IOException gone) {
                return "";
            }
        }
    }
}

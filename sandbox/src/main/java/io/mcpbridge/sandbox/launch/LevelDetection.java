package io.mcpbridge.sandbox.launch;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects which sandbox levels are available on this machine, and whether it has control groups, by starting a small
 * shell that checks whether it is confined.
 *
 * <p>Each level is probed on first use, and the result is kept. A probe that timed out is repeated if the level is
 * requested a minute later or more. Any thread may use it.
 */
final class LevelDetection {
    private static final Duration REPEAT_AFTER = Duration.ofMinutes(1);
    private static final int PROBED_FILES = 61;
    private static final String HAS_LIMITS =
            "test \"$(ulimit -n)\" = %d && grep -q '^NoNewPrivs:.*1' /proc/self/status".formatted(PROBED_FILES);

    /** Process ids up to 4: the first processes of a namespace are those that create it. */
    private static final String HAS_OWN_NUMBERS = "test $$ -le 4 && test -e /proc/$$";

    /** A file that has content on every system, and that the probe hides. */
    private static final String KNOWN_FILE = "/etc/passwd";

    private static final String HIDES = HAS_OWN_NUMBERS + " && test ! -s " + KNOWN_FILE;

    private static final String SEES_NOTHING =
            HAS_OWN_NUMBERS + " && test ! -e /etc/passwd && test \"$(grep -c : /proc/net/dev)\" = 1";

    private static final long PROBED_MEMORY = 64 << 20;

    private final ControlGroupCheck groups;
    private final SystemTools tools;
    private final Probe probe;
    private final boolean isRoot;
    private final Timekeeper timekeeper;
    private final Map<String, String> own;
    private final Map<Object, Result> results = new ConcurrentHashMap<>();

    /**
     * The result of probing a level or control groups.
     *
     * @param wrapper confines children at the level; null if no tool here does
     * @param reason why no tool does; empty if one does
     * @param wasTooSlow whether it may work when the machine is less busy
     * @param begunAt when the probe began, on the clock of the timekeeper
     */
    record Result(@Nullable CommandWrapper wrapper, String reason, boolean wasTooSlow, long begunAt) {
        private Result(@Nullable CommandWrapper wrapper, String reason, boolean wasTooSlow) {
            this(wrapper, reason, wasTooSlow, 0);
        }

        boolean isAvailable() {
            return wrapper != null;
        }

        private Result begunAt(long time) {
            return new Result(wrapper, reason, wasTooSlow, time);
        }
    }

    /** @param own the bridge's variables */
    LevelDetection(ProcessLauncher plain, Map<String, String> own, Timekeeper timekeeper, ControlGroupCheck groups) {
        var searchPath = own.getOrDefault("PATH", "");
        this.timekeeper = timekeeper;
        this.own = own;
        this.groups = groups;
        this.tools = SystemTools.on(searchPath);
        this.probe = new Probe(plain, searchPath);
        this.isRoot = HostSystem.weAreRoot();
    }

    /** Returns the result for a level; waits at most four seconds for each tool that it probes. */
    Result find(SandboxLevel level) {
        return find(level, () -> probe(level));
    }

    /** Probes on the first call, and again later if the machine was too slow; other callers wait meanwhile. */
    private Result find(Object what, Supplier<Result> probing) {
        return results.compute(what, (unused, before) -> {
            var now = timekeeper.nanoTime();
            var isKnown = before != null && !(before.wasTooSlow && now - before.begunAt >= REPEAT_AFTER.toNanos());
            return isKnown ? before : probing.get().begunAt(now);
        });
    }

    /** Returns the wrapper within a control group, if control groups are available. */
    Optional<CommandWrapper> withControlGroup(CommandWrapper inner) {
        return find(ControlGroupCheck.class, this::probeControlGroups).isAvailable()
                ? Optional.of(scope(inner))
                : Optional.empty();
    }

    private Result probeControlGroups() {
        var limits = ProcessLimits.NONE.withMemoryBytes(PROBED_MEMORY).withProcesses(PROBED_FILES);
        return first(limits, groups.test(limits), List.of(scope(CommandWrapper.NONE)));
    }

    private SystemdScopeWrapper scope(CommandWrapper inner) {
        return new SystemdScopeWrapper(groups, tools, inner, isRoot, own);
    }

    /** Returns the highest available level that does not restrict what a child may do. */
    SandboxLevel highest() {
        return Stream.of(SandboxLevel.L2, SandboxLevel.L1)
                .filter(level -> find(level).isAvailable())
                .findFirst()
                .orElse(SandboxLevel.L0);
    }

    /** Probes all levels; returns those that are available. */
    List<SandboxLevel> available() {
        return Stream.of(SandboxLevel.values())
                .filter(level -> find(level).isAvailable())
                .toList();
    }

    /** Why levels that were probed are not available; does not wait. */
    Optional<String> reasons() {
        var reasons = new ArrayList<String>();
        for (var level : SandboxLevel.values()) {
            Optional.ofNullable(results.get(level))
                    .filter(result -> !result.isAvailable())
                    .ifPresent(result -> reasons.add(reason(level, result)));
        }
        return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
    }

    private static String reason(SandboxLevel level, Result result) {
        var words = result.wasTooSlow()
                ? "%s could not be probed in time, and is probed again after a minute: %s"
                : "%s is not available here: %s";
        return words.formatted(level, result.reason());
    }

    private Result probe(SandboxLevel level) {
        if (level == SandboxLevel.L0) {
            return new Result(CommandWrapper.NONE, "", false);
        }
        if (!HostSystem.isLinux()) {
            return new Result(null, "it needs Linux", false);
        }
        return switch (level) {
            case L1 ->
                first(ProcessLimits.NONE.withOpenFiles(PROBED_FILES), HAS_LIMITS, List.of(new SetprivWrapper(tools)));
            case L2 ->
                first(
                        ProcessLimits.NONE.withHidden(List.of(Path.of(KNOWN_FILE))),
                        HIDES,
                        // With the first, all processes are reaped; with the second, one is left to the system's first
                        // process.
                        List.of(new UnshareWrapper(tools, isRoot), BubblewrapWrapper.loose(tools, isRoot)));
            default ->
                first(
                        ProcessLimits.NONE.withoutNetwork().withReadable(List.of(Path.of("/usr"))),
                        SEES_NOTHING,
                        List.of(BubblewrapWrapper.firm(tools, isRoot)));
        };
    }

    private Result first(ProcessLimits limits, String test, List<CommandWrapper> candidates) {
        var reasons = new ArrayList<String>();
        var wasTooSlow = false;
        for (var candidate : candidates) {
            var result = probe.of(candidate, limits, test);
            if (result.isAvailable()) {
                return result;
            }
            reasons.add(result.reason());
            wasTooSlow |= result.wasTooSlow();
        }
        return new Result(null, String.join("; ", reasons), wasTooSlow);
    }

    /** Tests whether wrappers work. */
    record Probe(ProcessLauncher plain, String searchPath) {
        /** A few milliseconds are enough, but a machine that is busy starting must not count as incapable. */
        private static final Duration TIMEOUT = Duration.ofSeconds(4);

        private static final int MAX_MESSAGE = 300;
        private static final int EXIT_NOT_CONFINED = 99;

        /**
         * Tests a wrapper.
         *
         * @param limits the limits of the shell that is started
         * @param test the command of the shell, which succeeds only in a confined one
         */
        Result of(CommandWrapper wrapper, ProcessLimits limits, String test) {
            var missing = wrapper.missing();
            if (missing.isPresent()) {
                return new Result(null, missing.get(), false);
            }
            var shell = LaunchCommand.of(
                    List.of("sh", "-c", test + " || exit " + EXIT_NOT_CONFINED), Map.of("PATH", searchPath));
            try {
                return run(wrapper, plain.launch(wrapper.wrap(shell.within(limits))));
            } catch (TransportException failed) {
                return failure(wrapper, failed.failure().message());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return slowness(wrapper, "the probe was interrupted");
            }
        }

        private static Result run(CommandWrapper wrapper, ChildProcess child) throws InterruptedException {
            try {
                var exit = child.onExit().toCompletableFuture().get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
                return exit == 0 ? new Result(wrapper, "", false) : failure(wrapper, message(child, exit));
            } catch (TimeoutException stuck) {
                return slowness(wrapper, "it did not end within %d ms".formatted(TIMEOUT.toMillis()));
            } catch (ExecutionException failed) {
                return failure(wrapper, String.valueOf(failed.getCause()));
            } finally {
                child.end(Duration.ZERO);
            }
        }

        private static Result failure(CommandWrapper wrapper, String why) {
            return new Result(null, wrapper.name() + ": " + why, false);
        }

        private static Result slowness(CommandWrapper wrapper, String why) {
            return new Result(null, wrapper.name() + ": " + why, true);
        }

        private static String message(ChildProcess child, int exit) {
            if (exit == EXIT_NOT_CONFINED) {
                return "it runs, but does not confine";
            }
            try {
                var output = new String(child.stderr().readNBytes(MAX_MESSAGE), StandardCharsets.UTF_8).strip();
                return output.isEmpty() ? "it ended with exit code " + exit : output.replaceAll("\\s+", " ");
            } catch (IOException gone) {
                return "it ended with exit code " + exit;
            }
        }
    }
}

package io.mcpbridge.sandbox.launch;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which levels this machine has, and whether it has control groups: each is tried when it is asked for first, and what that
 * shows is kept for as long as we run. What was too slow is tried again when it is asked for a minute later. Any thread.
 */
final class Levels {
    private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);
    private static final int PROBED_FILES = 61;
    private static final String HAS_LIMITS =
            "test \"$(ulimit -n)\" = %d && grep -q '^NoNewPrivs:.*1' /proc/self/status".formatted(PROBED_FILES);

    /** The first processes of a namespace are those that make it. */
    private static final String HAS_OWN_NUMBERS = "test $$ -le 4 && test -e /proc/$$";

    private static final String SEES_NOTHING =
            HAS_OWN_NUMBERS + " && test ! -e /etc/passwd && test \"$(grep -c : /proc/net/dev)\" = 1";

    private static final long PROBED_MEMORY = 64 << 20;

    private final ControlGroups groups;
    private final Tools tools;
    private final Probe probe;
    private final boolean isRoot;
    private final Timekeeper timekeeper;
    private final Map<String, String> own;
    private final Map<Object, Trial> trials = new ConcurrentHashMap<>();

    /** One look at a level or at control groups, which may be under way. */
    private record Trial(CompletableFuture<Finding> outcome, long begunAt) {
        /** What it has shown, if it is over. */
        private Optional<Finding> shown() {
            return Optional.ofNullable(outcome.getNow(null));
        }
    }

    /** @param own variables of ours */
    Levels(ProcessLauncher plain, Map<String, String> own, Timekeeper timekeeper) {
        this(plain, own, timekeeper, ControlGroups.OF_THE_SYSTEM);
    }

    Levels(ProcessLauncher plain, Map<String, String> own, Timekeeper timekeeper, ControlGroups groups) {
        var searchPath = own.getOrDefault("PATH", "");
        this.timekeeper = timekeeper;
        this.own = own;
        this.groups = groups;
        this.tools = Tools.on(searchPath);
        this.probe = new Probe(plain, searchPath);
        this.isRoot = Kernel.weAreRoot();
    }

    /** Holds children at this level; waits four seconds at the longest for each way to try. */
    Finding find(SandboxLevel level) {
        return find(level, () -> tried(level));
    }

    private Finding find(Object what, Supplier<Finding> trying) {
        var mine = new Trial(new CompletableFuture<>(), timekeeper.nanoTime());
        var trial = trials.compute(what, (unused, before) -> before == null || isOutdated(before) ? mine : before);
        if (!trial.equals(mine)) {
            return trial.outcome().join();
        }
        try {
            mine.outcome().complete(trying.get());
        } finally {
            // Whatever went wrong goes to who asked first; nobody else may wait for ever.
            mine.outcome().complete(Finding.none("it could not be tried"));
        }
        return mine.outcome().join();
    }

    private boolean isOutdated(Trial trial) {
        var wasTooSlow = trial.shown().filter(Finding::wasTooSlow).isPresent();
        return wasTooSlow && timekeeper.nanoTime() - trial.begunAt() >= AGAIN_AFTER.toNanos();
    }

    /** Those means within a control group, where there are such groups. */
    Optional<Means> scope(Means inner) {
        return find(Scope.class, this::triedScope).isThere() ? Optional.of(scopeOf(inner)) : Optional.empty();
    }

    private Finding triedScope() {
        var limits = Limits.NONE.withMemoryBytes(PROBED_MEMORY).withProcesses(PROBED_FILES);
        return first(limits, groups.test(limits), List.of(scopeOf(new Unheld())));
    }

    private Scope scopeOf(Means inner) {
        return new Scope(groups, tools, inner, isRoot, own);
    }

    /** The highest one that changes nothing of what a child may do. */
    SandboxLevel highest() {
        return Stream.of(SandboxLevel.L2, SandboxLevel.L1)
                .filter(level -> find(level).isThere())
                .findFirst()
                .orElse(SandboxLevel.L0);
    }

    /** Those that are to be had, all of them tried. */
    List<SandboxLevel> all() {
        return Stream.of(SandboxLevel.values())
                .filter(level -> find(level).isThere())
                .toList();
    }

    /** Why levels that were tried are not to be had; waits for nothing. */
    Optional<String> reasons() {
        var words = new ArrayList<String>();
        for (var level : SandboxLevel.values()) {
            Optional.ofNullable(trials.get(level))
                    .flatMap(Trial::shown)
                    .filter(finding -> !finding.isThere())
                    .ifPresent(finding -> words.add(reason(level, finding)));
        }
        return words.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", words));
    }

    private static String reason(SandboxLevel level, Finding finding) {
        var words = finding.wasTooSlow()
                ? "%s could not be tried in time, and is tried again when it is wanted after a minute: %s"
                : "%s is not to be had here: %s";
        return words.formatted(level, finding.reason());
    }

    private Finding tried(SandboxLevel level) {
        if (level == SandboxLevel.L0) {
            return Finding.of(new Unheld());
        }
        if (!Kernel.isLinux()) {
            return Finding.none("it takes Linux");
        }
        return switch (level) {
            case L1 -> first(Limits.NONE.withOpenFiles(PROBED_FILES), HAS_LIMITS, List.of(new ParentDeath(tools)));
            case L2 ->
                first(
                        Limits.NONE,
                        HAS_OWN_NUMBERS,
                        // The first collects all its processes, the second leaves one to the first process of the
                        // system.
                        List.of(new Namespaces(tools, isRoot), Bubblewrap.loose(tools, isRoot)));
            default ->
                first(
                        Limits.NONE.withoutNetwork().withReadable(List.of(Path.of("/usr"))),
                        SEES_NOTHING,
                        List.of(Bubblewrap.firm(tools, isRoot)));
        };
    }

    private Finding first(Limits limits, String test, List<Means> candidates) {
        var reasons = new ArrayList<String>();
        var wasTooSlow = false;
        for (var means : candidates) {
            var failure = probe.failure(means, limits, test);
            if (failure.isEmpty()) {
                return Finding.of(means);
            }
            reasons.add(failure.get().reason());
            wasTooSlow |= failure.get().wasTooSlow();
        }
        var reason = String.join("; ", reasons);
        return wasTooSlow ? Finding.tooSlow(reason) : Finding.none(reason);
    }
}

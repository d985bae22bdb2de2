package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The settings of process-per-call isolation: whether each tool call has its own server process, and the size of the
 * pool.
 *
 * @param perCall whether each call has its own process; otherwise the other settings have no effect
 * @param warm idle processes that are kept started, for each kind of caller
 * @param max the most processes at one moment, including those that are starting or ending
 * @param idle time without a call after which idle processes end
 */
public record IsolationSettings(boolean perCall, int warm, int max, Duration idle) {

    /** No isolation. If it is enabled: at most 16 processes, two of them warm, for ten minutes. */
    public static final IsolationSettings DEFAULTS = new IsolationSettings(false, 2, 16, Duration.ofMinutes(10));

    /** The largest value of {@code max}. */
    public static final int MOST = 256;

    private static final String ISOLATION = "isolation";
    private static final String POOL = "pool";
    private static final String PER_CALL = "call";

    public IsolationSettings {
        new MistakeCollector()
                .unless(max >= 1 && max <= MOST, "max", max, "from 1 to " + MOST)
                .unless(warm >= 0 && (warm <= max || max < 1), "warm", warm, "from 0 to 'max', " + max)
                .unless(idle.compareTo(Duration.ZERO) > 0, "idle", idle, "longer than zero")
                .throwIfAny();
    }

    /** Reads the keys of a server's section, which collects mistakes. */
    static IsolationSettings from(Settings server) {
        var perCall = isPerCall(server);
        if (!server.require(perCall || !server.has(POOL), POOL, "left out where 'isolation' is not 'call'")) {
            return DEFAULTS;
        }
        if (!server.isSection(POOL)) {
            // Not an object: reading it as a section reports the mistake.
            server.section(POOL);
            return DEFAULTS.withPerCall(perCall);
        }
        var pool = server.section(POOL);
        var max = pool.integer("max", DEFAULTS.max);
        var warm = pool.integer("warm", Math.min(DEFAULTS.warm, Math.max(0, max)));
        var idle = pool.duration("idle", DEFAULTS.idle);
        return server.noting(
                () -> pool.finish(() -> new IsolationSettings(perCall, warm, max, idle)),
                DEFAULTS.withPerCall(perCall));
    }

    private static boolean isPerCall(Settings server) {
        var isolation = server.text(ISOLATION, "none");
        return server.require(Set.of("none", PER_CALL).contains(isolation), ISOLATION, "'none' or 'call'")
                && isolation.equals(PER_CALL)
                && server.require(
                        server.has("command"),
                        ISOLATION,
                        "left out where the server is no process of ours, which 'command' would start");
    }

    private IsolationSettings withPerCall(boolean newPerCall) {
        return new IsolationSettings(newPerCall, warm, max, idle);
    }

    /**
     * The limits of a call that has its own process.
     *
     * @param maxExecution time from the start of the call, after which the process is killed
     * @param maxMemoryMb memory of the process in MiB; 0 for no limit
     */
    public record ExecutionLimits(Duration maxExecution, int maxMemoryMb) {

        /** Thirty seconds and 256 MiB. */
        public static final ExecutionLimits DEFAULTS = new ExecutionLimits(Duration.ofSeconds(30), 256);

        /** A bound that keeps the number of bytes in the range of a long. */
        private static final int MOST_MB = 1 << 20;

        private static final String MEMORY = "max-memory";
        private static final int MIB = 1 << 20;

        public ExecutionLimits {
            new MistakeCollector()
                    .unless(
                            maxExecution.compareTo(Duration.ZERO) > 0,
                            "max-execution",
                            maxExecution,
                            "longer than zero")
                    .unless(isMemory(maxMemoryMb), "maxMemoryMb", maxMemoryMb, memoryRule())
                    .throwIfAny();
        }

        /** Reads the keys of a server's section; the default of the memory is that of {@code sandbox}. */
        static ExecutionLimits from(Settings server, IsolationSettings isolation) {
            return from(server, isolation, new ExecutionLimits(DEFAULTS.maxExecution, usualMemory(server)));
        }

        /**
         * Returns the section of a server with another memory limit, for the transport.
         *
         * @param memoryMb the limit in MiB; 0 keeps the limit of the section
         */
        public static Settings within(int memoryMb, Settings server) {
            if (memoryMb == 0) {
                return server;
            }
            var limit = Settings.of(Map.of("sandbox", Map.of(MEMORY, memoryMb + "MiB")));
            // Keeps both names of the limit if the section has both, so that they are rejected.
            var hasOurs =
                    server.isSection("sandbox") && server.section("sandbox").has(MEMORY);
            return (hasOurs ? server : ProcessLimits.usualBeside(limit, server)).overriddenBy(limit);
        }

        /** Ignores mistakes in the section {@code sandbox}: the process launcher reports them. */
        private static int usualMemory(Settings server) {
            try {
                var bytes = ProcessLimits.from(server.section("sandbox")).memoryBytes();
                return bytes == 0 ? DEFAULTS.maxMemoryMb : megabytes(bytes);
            } catch (ConfigurationException wrong) {
                return DEFAULTS.maxMemoryMb;
            }
        }

        private static int megabytes(long bytes) {
            return (int) Math.min(MOST_MB, (bytes + MIB - 1) / MIB);
        }

        /** Reads the keys of the section of a server or a tool, which collects the mistakes. */
        static ExecutionLimits from(Settings section, IsolationSettings isolation, ExecutionLimits otherwise) {
            var timeKey = section.either("max-execution", "maxExecutionMs");
            var memoryKey = section.either(MEMORY, "maxMemoryMb");
            refuseBothNames(section);
            var time = section.duration("max-execution", "maxExecutionMs", otherwise.maxExecution);
            var memory = section.has(MEMORY)
                    ? megabytes(section.size(MEMORY, 0))
                    : section.integer(memoryKey, otherwise.maxMemoryMb);
            // Checks all of them, so that all mistakes are reported together.
            var isRight = Stream.of(
                            isEnforced(section, timeKey, isolation),
                            isEnforced(section, memoryKey, isolation),
                            section.require(time.compareTo(Duration.ZERO) > 0, timeKey, "longer than zero"),
                            section.require(isMemory(memory), memoryKey, memoryRule()))
                    .allMatch(holds -> holds);
            return isRight ? new ExecutionLimits(time, memory) : otherwise;
        }

        private static void refuseBothNames(Settings section) {
            Map.of("maxMemoryMb", MEMORY, "maxExecutionMs", "max-execution").forEach((one, other) -> {
                if (section.has(one) && section.has(other)) {
                    section.reject(one, "left out beside '%s', which is the same limit".formatted(other));
                }
            });
        }

        /** Rejects a limit that has no effect without isolation. */
        private static boolean isEnforced(Settings section, String key, IsolationSettings isolation) {
            var hasEffect = isolation.perCall() || !section.has(key);
            return section.require(hasEffect, key, "left out where 'isolation' of the server is not 'call'");
        }

        private static boolean isMemory(int memory) {
            return memory >= 0 && memory <= MOST_MB;
        }

        private static String memoryRule() {
            return "from 0, which is no limit, to " + MOST_MB;
        }
    }
}

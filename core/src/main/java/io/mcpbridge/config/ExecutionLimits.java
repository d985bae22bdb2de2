package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How long one call of a tool may run, and how much memory it may take, where it has a process of its own.
 *
 * @param maxExecution how long, from the moment when the process is given the call; the process is killed then
 * @param maxMemoryMb how many MiB the whole process may take; 0 for as many as there are
 */
public record ExecutionLimits(Duration maxExecution, int maxMemoryMb) {

    /** Thirty seconds and 256 MiB. */
    public static final ExecutionLimits DEFAULTS = new ExecutionLimits(Duration.ofSeconds(30), 256);

    /** No process needs more; a number of bytes stays within reach. */
    private static final int MOST_MB = 1 << 20;

    private static final String MEMORY = "max-memory";
    private static final int MIB = 1 << 20;

    public ExecutionLimits {
        new Refusals()
                .unless(maxExecution.compareTo(Duration.ZERO) > 0, "max-execution", maxExecution, "longer than zero")
                .unless(isMemory(maxMemoryMb), "maxMemoryMb", maxMemoryMb, memoryRule())
                .throwIfAny();
    }

    /** Reads these keys of a server's section, where memory is as in {@code sandbox} unless they say something of it. */
    static ExecutionLimits from(Settings server, IsolationSettings isolation) {
        return from(server, isolation, new ExecutionLimits(DEFAULTS.maxExecution, usualMemory(server)));
    }

    /**
     * The section of a server as its transport reads it for a process that may take so much memory.
     *
     * @param memoryMb how many MiB; 0 for as many as the section says
     */
    public static Settings within(int memoryMb, Settings server) {
        if (memoryMb == 0) {
            return server;
        }
        var limit = Settings.of(Map.of("sandbox", Map.of(MEMORY, memoryMb + "MiB")));
        // Where both of its names stand there they stay, and are refused.
        var hasOurs = server.isSection("sandbox") && server.section("sandbox").has(MEMORY);
        return (hasOurs ? server : Limits.usualBeside(limit, server)).overriddenBy(limit);
    }

    /** What is wrong in that section is told by whoever starts processes. */
    private static int usualMemory(Settings server) {
        try {
            var bytes = Limits.from(server.section("sandbox")).memoryBytes();
            return bytes == 0 ? DEFAULTS.maxMemoryMb : megabytes(bytes);
        } catch (ConfigurationException wrong) {
            return DEFAULTS.maxMemoryMb;
        }
    }

    private static int megabytes(long bytes) {
        return (int) Math.min(MOST_MB, (bytes + MIB - 1) / MIB);
    }

    /** Reads these keys of the section of a server or of one of its tools; mistakes are noted there. */
    static ExecutionLimits from(Settings section, IsolationSettings isolation, ExecutionLimits otherwise) {
        var timeKey = section.has("maxExecutionMs") ? "maxExecutionMs" : "max-execution";
        var memoryKey = section.either(MEMORY, "maxMemoryMb");
        refuseBothNames(section);
        var time = section.duration("max-execution", "maxExecutionMs", otherwise.maxExecution);
        var memory = section.has(MEMORY)
                ? megabytes(section.size(MEMORY, 0))
                : section.integer(memoryKey, otherwise.maxMemoryMb);
        // Every one of them, so that all mistakes are told together.
        var isAllowed = Stream.of(timeKey, memoryKey)
                .filter(key -> !isAllowed(section, key, isolation))
                .toList()
                .isEmpty();
        if (time.compareTo(Duration.ZERO) <= 0) {
            section.reject(timeKey, "longer than zero");
            isAllowed = false;
        }
        if (!isMemory(memory)) {
            section.reject(memoryKey, memoryRule());
            isAllowed = false;
        }
        return isAllowed ? new ExecutionLimits(time, memory) : otherwise;
    }

    private static void refuseBothNames(Settings section) {
        Map.of("maxMemoryMb", MEMORY, "maxExecutionMs", "max-execution").forEach((one, other) -> {
            if (section.has(one) && section.has(other)) {
                section.reject(one, "left out beside '%s', which is the same limit".formatted(other));
            }
        });
    }

    /** A limit that nothing would hold is worse than none. */
    private static boolean isAllowed(Settings section, String key, IsolationSettings isolation) {
        var isAllowed = isolation.perCall() || !section.has(key);
        if (!isAllowed) {
            section.reject(key, "left out where 'isolation' of the server is not 'call'");
        }
        return isAllowed;
    }

    private static boolean isMemory(int memory) {
        return memory >= 0 && memory <= MOST_MB;
    }

    private static String memoryRule() {
        return "from 0, which is no limit, to " + MOST_MB;
    }
}

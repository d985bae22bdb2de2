package io.mcpbridge.workers;

import io.mcpbridge.spi.SandboxSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The options of a {@link WorkerPool}: number, life span, limits and command of its workers. {@link #builder()} makes
 * them.
 *
 * <p>The numbers of workers and of waiting calls count per memory limit: tools with another {@code maxMemoryMb} have
 * workers of their own.
 *
 * @param warm the number of idle workers that the pool keeps ready
 * @param most the maximum number of workers
 * @param limits the limits of a call if its tool has no limits of its own
 * @param maxCalls the number of calls after which a worker is replaced
 * @param maxAge the age at which a worker is replaced
 * @param maxResidentMb the memory that a worker may hold between calls, in MiB; 0 for no limit but that of the worker
 * @param maxResultBytes the maximum size of a result as JSON text
 * @param maxWaiting the maximum number of calls that wait for a worker
 * @param maxWait the maximum time that a call waits for a worker
 * @param classPath the class path of workers with the classes of tools; empty for the class path of this process
 * @param jvmOptions further options of the workers' virtual machine; they follow ours and so override them
 * @param variables environment variables of the workers, beside the few that every child gets
 * @param confinement the sandbox of workers: its required level, and limits other than memory
 */
public record WorkerOptions(
        int warm,
        int most,
        ToolLimits limits,
        int maxCalls,
        Duration maxAge,
        int maxResidentMb,
        int maxResultBytes,
        int maxWaiting,
        Duration maxWait,
        List<Path> classPath,
        List<String> jvmOptions,
        Map<String, String> variables,
        SandboxSettings confinement) {
    /** The defaults of every part. */
    public static final WorkerOptions DEFAULTS = builder().build();

    private static final int MIN_RESULT_BYTES = 1024;

    /** Checks every part. */
    public WorkerOptions {
        classPath = List.copyOf(classPath);
        jvmOptions = List.copyOf(jvmOptions);
        variables = Map.copyOf(variables);
        require(warm >= 0, "warm", warm, "at least 0");
        require(most >= Math.max(1, warm), "most", most, "at least 1, and at least 'warm', " + warm);
        require(maxCalls >= 1, "maxCalls", maxCalls, "at least 1");
        require(isPositive(maxAge), "maxAge", maxAge, "longer than zero");
        require(maxResidentMb >= 0, "maxResidentMb", maxResidentMb, "at least 0");
        require(maxResultBytes >= MIN_RESULT_BYTES, "maxResultBytes", maxResultBytes, "at least " + MIN_RESULT_BYTES);
        require(maxWaiting >= 0, "maxWaiting", maxWaiting, "at least 0");
        require(isPositive(maxWait), "maxWait", maxWait, "longer than zero");
        require(
                confinement.limits().cpuTime().isZero(),
                "confinement",
                confinement.limits(),
                "without max-cpu, which would count all calls of a worker together; 'maxExecution' bounds each");
    }

    private static boolean isPositive(Duration span) {
        return !span.isNegative() && !span.isZero();
    }

    private static void require(boolean holds, String part, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("'%s' is %s but must be %s".formatted(part, value, rule));
        }
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Names no variables and no options of the virtual machine, which may hold secrets. */
    @Override
    public String toString() {
        return "WorkerOptions[warm=%d, most=%d, limits=%s]".formatted(warm, most, limits);
    }

    /** Builds {@link WorkerOptions}; a part that is not set keeps its default. For one thread. */
    public static final class Builder {
        private int warm = 1;
        private int most = Math.max(2, Runtime.getRuntime().availableProcessors());
        private ToolLimits limits = ToolLimits.DEFAULTS;
        private int maxCalls = 1_000;
        private Duration maxAge = Duration.ofHours(1);
        private int maxResidentMb;
        private int maxResultBytes = 4 << 20;
        private int maxWaiting = 64;
        private Duration maxWait = Duration.ofSeconds(10);
        private List<Path> classPath = List.of();
        private List<String> jvmOptions = List.of();
        private Map<String, String> variables = Map.of();
        private SandboxSettings confinement = SandboxSettings.DEFAULTS;

        Builder() {}

        /** Sets the number of idle workers that the pool keeps ready; 1 by default, 0 to start each on demand. */
        public Builder warm(int workers) {
            warm = workers;
            return this;
        }

        /** Sets the maximum number of workers; by default one for each processor, and at least two. */
        public Builder most(int workers) {
            most = workers;
            return this;
        }

        /** Sets the limits of a call whose tool has none of its own. */
        public Builder limits(ToolLimits newLimits) {
            limits = newLimits;
            return this;
        }

        /** Sets the number of calls of one worker; 1,000 by default, 1 for a fresh worker per call. */
        public Builder maxCalls(int calls) {
            maxCalls = calls;
            return this;
        }

        /** Sets the age at which a worker is replaced; an hour by default. */
        public Builder maxAge(Duration age) {
            maxAge = age;
            return this;
        }

        /** Sets the memory that a worker may hold between calls, in MiB; by default up to its memory limit. */
        public Builder maxResidentMb(int mebibytes) {
            maxResidentMb = mebibytes;
            return this;
        }

        /** Sets the maximum size of a result in bytes; 4 MiB by default. */
        public Builder maxResultBytes(int bytes) {
            maxResultBytes = bytes;
            return this;
        }

        /** Sets the maximum number of calls that wait for a worker; 64 by default. */
        public Builder maxWaiting(int calls) {
            maxWaiting = calls;
            return this;
        }

        /** Sets the maximum time that a call waits for a worker; 10 seconds by default. */
        public Builder maxWait(Duration span) {
            maxWait = span;
            return this;
        }

        /** Sets the class path of workers; by default the class path of this process. */
        public Builder classPath(List<Path> places) {
            classPath = places;
            return this;
        }

        /** Sets further options of the workers' virtual machine. */
        public Builder jvmOptions(List<String> options) {
            jvmOptions = options;
            return this;
        }

        /** Sets environment variables of the workers, beside the few that every child gets. */
        public Builder variables(Map<String, String> newVariables) {
            variables = newVariables;
            return this;
        }

        /**
         * Sets the sandbox of workers: its required level, and limits other than memory. By default it is the highest
         * level of this machine that removes no access. A limit of CPU time is rejected, since a worker runs many
         * calls.
         */
        public Builder confinement(SandboxSettings newConfinement) {
            confinement = newConfinement;
            return this;
        }

        /**
         * Builds the options.
         *
         * @throws IllegalArgumentException if a number, a time span or a limit is out of range; the message names it
         */
        public WorkerOptions build() {
            return new WorkerOptions(
                    warm,
                    most,
                    limits,
                    maxCalls,
                    maxAge,
                    maxResidentMb,
                    maxResultBytes,
                    maxWaiting,
                    maxWait,
                    classPath,
                    jvmOptions,
                    variables,
                    confinement);
        }
    }
}

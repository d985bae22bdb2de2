package io.mcpbridge.sandbox.worker;

import io.mcpbridge.spi.Confinement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Collects {@link WorkerOptions}; what is not set keeps its default. For one thread. */
public final class WorkerOptionsBuilder {
    int warm = 1;
    int most = Math.max(2, Runtime.getRuntime().availableProcessors());
    ToolLimits limits = ToolLimits.DEFAULTS;
    int maxCalls = 1_000;
    Duration maxAge = Duration.ofHours(1);
    int maxResidentMb;
    int maxResultBytes = 4 << 20;
    int maxWaiting = 64;
    Duration maxWait = Duration.ofSeconds(10);
    List<Path> classPath = List.of();
    List<String> jvmOptions = List.of();
    Map<String, String> variables = Map.of();
    Confinement confinement = Confinement.USUAL;

    WorkerOptionsBuilder() {}

    private WorkerOptionsBuilder(WorkerOptionsBuilder from) {
        warm = from.warm;
        most = from.most;
        limits = from.limits;
        maxCalls = from.maxCalls;
        maxAge = from.maxAge;
        maxResidentMb = from.maxResidentMb;
        maxResultBytes = from.maxResultBytes;
        maxWaiting = from.maxWaiting;
        maxWait = from.maxWait;
        classPath = from.classPath;
        jvmOptions = from.jvmOptions;
        variables = from.variables;
        confinement = from.confinement;
    }

    /** How many workers wait for calls; 1 by default, 0 to start each when it is needed. */
    public WorkerOptionsBuilder warm(int workers) {
        warm = workers;
        return this;
    }

    /** How many workers there are at the most; by default one for each processor, and two at least. */
    public WorkerOptionsBuilder most(int workers) {
        most = workers;
        return this;
    }

    /** What a call may take, where its tool has no limits of its own. */
    public WorkerOptionsBuilder limits(ToolLimits newLimits) {
        limits = newLimits;
        return this;
    }

    /** How many calls a worker runs; 1,000 by default, 1 for a fresh worker each time. */
    public WorkerOptionsBuilder maxCalls(int calls) {
        maxCalls = calls;
        return this;
    }

    /** For how long a worker is used; an hour by default. */
    public WorkerOptionsBuilder maxAge(Duration age) {
        maxAge = age;
        return this;
    }

    /** How much memory a worker may hold between calls, in MiB; by default as much as it may take at all. */
    public WorkerOptionsBuilder maxResidentMb(int mebibytes) {
        maxResidentMb = mebibytes;
        return this;
    }

    /** How large a result may be; 4 MiB by default. */
    public WorkerOptionsBuilder maxResultBytes(int bytes) {
        maxResultBytes = bytes;
        return this;
    }

    /** How many calls may wait for a worker; 64 by default. */
    public WorkerOptionsBuilder maxWaiting(int calls) {
        maxWaiting = calls;
        return this;
    }

    /** For how long a call waits for a worker; 10 seconds by default. */
    public WorkerOptionsBuilder maxWait(Duration span) {
        maxWait = span;
        return this;
    }

    /** Where workers find the classes of tools; by default the class path of this process. */
    public WorkerOptionsBuilder classPath(List<Path> places) {
        classPath = List.copyOf(places);
        return this;
    }

    /** Further options of the workers' virtual machine. */
    public WorkerOptionsBuilder jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    /** Environment variables of the workers, beside the few that every child gets. */
    public WorkerOptionsBuilder variables(Map<String, String> newVariables) {
        variables = Map.copyOf(newVariables);
        return this;
    }

    /**
     * How workers are held: the level that is required, and limits beside that of memory; by default as firmly as this
     * machine can without taking anything from them. A limit of computing time is refused: a worker runs many calls.
     */
    public WorkerOptionsBuilder confinement(Confinement newConfinement) {
        confinement = newConfinement;
        return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException if a number, a span or a limit will not do
     */
    public WorkerOptions build() {
        require(warm >= 0, "warm", warm, "at least 0");
        require(most >= Math.max(1, warm), "most", most, "at least 1, and at least 'warm', " + warm);
        require(maxCalls >= 1, "maxCalls", maxCalls, "at least 1");
        require(isPositive(maxAge), "maxAge", maxAge, "longer than zero");
        require(maxResidentMb >= 0, "maxResidentMb", maxResidentMb, "at least 0");
        require(maxResultBytes >= 1024, "maxResultBytes", maxResultBytes, "at least 1024");
        require(maxWaiting >= 0, "maxWaiting", maxWaiting, "at least 0");
        require(isPositive(maxWait), "maxWait", maxWait, "longer than zero");
        require(
                confinement.limits().cpuTime().isZero(),
                "confinement",
                confinement.limits(),
                "without max-cpu, which would count all calls of a worker together; 'maxExecution' bounds each");
        return new WorkerOptions(new WorkerOptionsBuilder(this));
    }

    private static boolean isPositive(Duration span) {
        return !span.isNegative() && !span.isZero();
    }

    private static void require(boolean holds, String part, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("'%s' is %s but must be %s".formatted(part, value, rule));
        }
    }
}

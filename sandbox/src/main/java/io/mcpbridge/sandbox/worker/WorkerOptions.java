package io.mcpbridge.sandbox.worker;

import io.mcpbridge.spi.Confinement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How many workers there are, for how long they are used, and what they run with.
 *
 * <p>Numbers of workers and of waiting calls are those of one memory limit: tools with another {@code maxMemoryMb} have
 * workers of their own.
 */
public final class WorkerOptions {
    /** The defaults of every part. */
    public static final WorkerOptions DEFAULTS = builder().build();

    private final WorkerOptionsBuilder parts;

    WorkerOptions(WorkerOptionsBuilder parts) {
        this.parts = parts;
    }

    /** Begins with the defaults. */
    public static WorkerOptionsBuilder builder() {
        return new WorkerOptionsBuilder();
    }

    /** How many workers wait for calls. */
    public int warm() {
        return parts.warm;
    }

    /** How many workers there are at the most. */
    public int most() {
        return parts.most;
    }

    /** What a call may take, where its tool has no limits of its own. */
    public ToolLimits limits() {
        return parts.limits;
    }

    /** How many calls a worker runs before another one takes its place. */
    public int maxCalls() {
        return parts.maxCalls;
    }

    /** For how long a worker is used. */
    public Duration maxAge() {
        return parts.maxAge;
    }

    /** How much memory a worker may hold between calls, in MiB; 0 means as much as it may take at all. */
    public int maxResidentMb() {
        return parts.maxResidentMb;
    }

    /** How large a result may be. */
    public int maxResultBytes() {
        return parts.maxResultBytes;
    }

    /** How many calls may wait for a worker. */
    public int maxWaiting() {
        return parts.maxWaiting;
    }

    /** For how long a call waits for a worker. */
    public Duration maxWait() {
        return parts.maxWait;
    }

    /** Where workers find the classes of tools; empty for the class path of this process. */
    public List<Path> classPath() {
        return parts.classPath;
    }

    /** Further options of the workers' virtual machine; they stand behind ours, and so win. */
    public List<String> jvmOptions() {
        return parts.jvmOptions;
    }

    /** Environment variables of the workers, beside the few that every child gets. */
    public Map<String, String> variables() {
        return parts.variables;
    }

    /** How workers are held: the level that is required, and limits beside that of memory. */
    public Confinement confinement() {
        return parts.confinement;
    }
}

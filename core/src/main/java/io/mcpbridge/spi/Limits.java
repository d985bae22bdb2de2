package io.mcpbridge.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a child may use: {@link #NONE} with changes. Immutable.
 *
 * <p>A limit of zero, and an empty list of paths, is no limit. Whoever cannot hold a child to its limits does not start it.
 */
public final class Limits {
    /** A child that may use what we may. */
    public static final Limits NONE = new Limits(new LimitsDraft());

    private final LimitsDraft values;

    private Limits(LimitsDraft values) {
        this.values = values;
    }

    /** Of a checked draft, which nobody changes any more. */
    static Limits of(LimitsDraft checked) {
        return new Limits(checked);
    }

    /**
     * Reads the section {@code sandbox}; of the bridge, of a server or of a tool. The key {@code level} is left to
     * {@link SandboxLevel#from}.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in it
     */
    public static Limits from(Settings section) {
        return LimitsReading.of(section);
    }

    /** A copy of {@code usual} whose section {@code sandbox} leaves out what that of {@code written} says by another name. */
    public static Settings usualBeside(Settings written, Settings usual) {
        return written.isSection("sandbox")
                ? usual.without(
                        "sandbox",
                        LimitsReading.otherNames(written.section("sandbox").keys()))
                : usual;
    }

    /** Bytes of memory for the child and what it starts. */
    public long memoryBytes() {
        return values.memoryBytes;
    }

    /** How many processes there may be, the child among them; a thread may count as one. */
    public int processes() {
        return values.processes;
    }

    /** How many files and connections each process may have open. */
    public int openFiles() {
        return values.openFiles;
    }

    /** How large a file may become. */
    public long fileSizeBytes() {
        return values.fileSizeBytes;
    }

    /** How long each process may compute, threads and all; to the millisecond, as far as a launcher can tell. */
    public Duration cpuTime() {
        return values.cpuTime;
    }

    /** Whether it may use the network. */
    public boolean allowsNetwork() {
        return values.network;
    }

    /** What it may read beside what programs need to run, if this or {@link #writable()} says anything. */
    public List<Path> readable() {
        return values.readable;
    }

    /** What it may read and change. */
    public List<Path> writable() {
        return values.writable;
    }

    /** Whether files are out of reach that are not named. */
    public boolean hidesFiles() {
        return !values.readable.isEmpty() || !values.writable.isEmpty();
    }

    /**
     * The lowest level at which it can be held to all of them. Memory is held at {@code L1} already, so that a machine without
     * namespaces can have that limit: what has lost its parents by forking twice counts for itself alone there, and with
     * the others from {@code L2} on. Launchers choose the higher one where nothing is said and it is to be had.
     */
    public SandboxLevel needs() {
        if (!allowsNetwork() || hidesFiles()) {
            return SandboxLevel.L3;
        }
        if (processes() > 0) {
            return SandboxLevel.L2;
        }
        var isBounded = memoryBytes() > 0
                || openFiles() > 0
                || fileSizeBytes() > 0
                || !cpuTime().isZero();
        return isBounded ? SandboxLevel.L1 : SandboxLevel.L0;
    }

    /** With another limit of memory, in bytes; 0 for none. */
    public Limits withMemoryBytes(long bytes) {
        return values.with(draft -> draft.memoryBytes = bytes);
    }

    /** With another number of processes; 0 for any. */
    public Limits withProcesses(int count) {
        return values.with(draft -> draft.processes = count);
    }

    /** With another number of open files; 0 for any. */
    public Limits withOpenFiles(int count) {
        return values.with(draft -> draft.openFiles = count);
    }

    /** With another size of files, in bytes; 0 for any. */
    public Limits withFileSizeBytes(long bytes) {
        return values.with(draft -> draft.fileSizeBytes = bytes);
    }

    /** With another time to compute; zero for any. */
    public Limits withCpuTime(Duration time) {
        return values.with(draft -> draft.cpuTime = time);
    }

    public Limits withoutNetwork() {
        return values.with(draft -> draft.network = false);
    }

    /** With other paths that may be read. */
    public Limits withReadable(List<Path> paths) {
        return values.with(draft -> draft.readable = List.copyOf(paths));
    }

    /** With other paths that may be read and changed. */
    public Limits withWritable(List<Path> paths) {
        return values.with(draft -> draft.writable = List.copyOf(paths));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limits limits && values.shown().equals(limits.values.shown());
    }

    @Override
    public int hashCode() {
        return values.shown().hashCode();
    }

    /** Those that there are, as they are written in the configuration. */
    @Override
    public String toString() {
        return values.shown();
    }
}

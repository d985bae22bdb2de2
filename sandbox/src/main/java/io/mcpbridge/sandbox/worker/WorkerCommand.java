package io.mcpbridge.sandbox.worker;

import io.mcpbridge.process.ChildEnvironment;
import io.mcpbridge.sandbox.worker.internal.frame.WorkerArguments;
import io.mcpbridge.sandbox.worker.internal.mark.WorkerMark;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The command that starts a worker. */
final class WorkerCommand {
    /** A constant, since nothing of that class is needed in this process. */
    static final String MAIN = "io.mcpbridge.sandbox.worker.internal.child.WorkerMain";

    /**
     * A quick start rather than a high speed later; and nothing but frames on standard output, where the virtual machine
     * would write warnings by itself.
     */
    private static final List<String> ALWAYS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:+DisplayVMOutputToStderr",
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-XX:ErrorFile=/dev/null",
            "-XX:-CreateCoredumpOnCrash",
            "-Xshare:auto",
            "-Dfile.encoding=UTF-8",
            "-Djava.awt.headless=true");

    private static final long MIB = 1 << 20;

    private final WorkerOptions options;
    private final ClassPath classPath;
    private final ProcessLauncher launcher;
    private final int maxMemoryMb;

    WorkerCommand(WorkerOptions options, ClassPath classPath, ProcessLauncher launcher, int maxMemoryMb) {
        this.options = options;
        this.classPath = classPath;
        this.launcher = launcher;
        this.maxMemoryMb = maxMemoryMb;
    }

    /** A worker, which starts from the archive where there is one, held as the options say. */
    Command worker(Optional<Path> archive) {
        var archiving =
                archive.map(file -> List.of("-XX:SharedArchiveFile=" + file)).orElse(List.of());
        var held = options.confinement().of(command(archiving, List.of()));
        var level = launcher.level(held);
        if (level.covers(SandboxLevel.L2)) {
            held = options.confinement().of(command(archiving, List.of(WorkerArguments.ALONE)));
        }
        var limits = held.limits();
        if (limits.hidesFiles()) {
            limits = limits.withReadable(readable(limits.readable(), archive));
        }
        if (level.covers(SandboxLevel.L1)) {
            limits = limits.withMemoryBytes(maxMemoryMb * MIB);
        }
        return held.within(limits);
    }

    int maxMemoryMb() {
        return maxMemoryMb;
    }

    /** How firmly workers are held. */
    SandboxLevel level() {
        return launcher.level(worker(Optional.empty()));
    }

    /** A virtual machine has to see itself and its classes, whatever else is hidden. */
    private List<Path> readable(List<Path> asked, Optional<Path> archive) {
        var all = new LinkedHashSet<>(asked);
        all.add(Path.of(System.getProperty("java.home")));
        classPath.places().stream().filter(Files::exists).forEach(all::add);
        archive.ifPresent(all::add);
        return List.copyOf(all);
    }

    /** One that writes an archive when it ends. */
    Command training(Path archive) {
        return command(List.of("-XX:ArchiveClassesAtExit=" + archive), List.of(WorkerArguments.TRAINING));
    }

    private Command command(List<String> archiving, List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(java().toString());
        words.addAll(ALWAYS);
        words.addAll(new MemoryShares(maxMemoryMb).options());
        words.addAll(archiving);
        words.addAll(options.jvmOptions());
        words.add("-cp");
        words.add(classPath.places().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        words.add(MAIN);
        words.addAll(arguments);
        return Command.of(words, variables());
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    private Map<String, String> variables() {
        var variables = new TreeMap<>(ChildEnvironment.of(System.getenv(), options.variables()));
        // Each arena of the native allocator would take address space that counts against the limit.
        variables.putIfAbsent("MALLOC_ARENA_MAX", "2");
        variables.put(WorkerMark.VARIABLE, WorkerMark.freshValue());
        return variables;
    }
}

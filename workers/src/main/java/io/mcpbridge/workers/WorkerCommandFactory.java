package io.mcpbridge.workers;

import io.mcpbridge.process.ChildEnvironment;
import io.mcpbridge.server.ToolHandler;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the command that starts a worker: a Java virtual machine with a class path and limits. */
final class WorkerCommandFactory {
    /**
     * Options for a quick start rather than high peak speed. Warnings of the virtual machine go to standard error,
     * since standard output has the messages.
     */
    private static final List<String> JVM_OPTIONS = List.of(
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

    /** A name, so that this process does not load the class. */
    private static final String MAIN = "io.mcpbridge.workers.internal.child.WorkerMain";

    /** One class of each artifact that a worker needs on its class path. */
    private static final List<String> NEEDED_CLASSES = List.of(
            WorkerCommandFactory.class.getName(),
            ToolHandler.class.getName(),
            Json.class.getName(),
            "com.fasterxml.jackson.core.JsonFactory");

    private static final long MIB = 1 << 20;

    private final WorkerOptions options;
    private final ProcessLauncher launcher;
    private final int maxMemoryMb;
    private final List<Path> classPath;

    WorkerCommandFactory(WorkerOptions options, ProcessLauncher launcher, int maxMemoryMb) {
        this.options = options;
        this.launcher = launcher;
        this.maxMemoryMb = maxMemoryMb;
        this.classPath = options.classPath().isEmpty() ? ownClassPath() : withNeededClasses(options.classPath());
    }

    int maxMemoryMb() {
        return maxMemoryMb;
    }

    /** The sandbox level of workers. */
    SandboxLevel level() {
        return launcher.level(command());
    }

    /** The command of one more worker, with a new mark. */
    LaunchCommand command() {
        var command = options.confinement().of(command(List.of()));
        var level = launcher.level(command);
        if (level.covers(SandboxLevel.L2)) {
            command = options.confinement().of(command(List.of(WorkerMark.ALONE_ARGUMENT)));
        }
        var limits = command.limits();
        if (limits.hidesFiles()) {
            limits = limits.withReadable(readable(limits.readable()));
        }
        if (level.covers(SandboxLevel.L1)) {
            limits = limits.withMemoryBytes(maxMemoryMb * MIB);
        }
        return command.within(limits);
    }

    /** The paths that a worker may read: those of the settings, its virtual machine and its classes. */
    private List<Path> readable(List<Path> configured) {
        var all = new LinkedHashSet<>(configured);
        all.add(javaHome());
        classPath.stream().filter(Files::exists).forEach(all::add);
        return List.copyOf(all);
    }

    private LaunchCommand command(List<String> arguments) {
        var words = new ArrayList<String>();
        words.add(javaHome().resolve("bin").resolve("java").toString());
        words.addAll(JVM_OPTIONS);
        words.addAll(memoryOptions(maxMemoryMb));
        words.addAll(options.jvmOptions());
        words.add("-cp");
        words.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        words.add(MAIN);
        words.addAll(arguments);
        return LaunchCommand.of(words, variables());
    }

    private static Path javaHome() {
        return Path.of(System.getProperty("java.home"));
    }

    private Map<String, String> variables() {
        var variables = new TreeMap<>(ChildEnvironment.of(System.getenv(), options.variables()));
        // Each arena of the native allocator would take address space that counts against the limit.
        variables.putIfAbsent("MALLOC_ARENA_MAX", "2");
        variables.put(WorkerMark.VARIABLE, WorkerMark.freshValue());
        return variables;
    }

    /**
     * Divides the memory of a worker among the parts of a Java virtual machine that have a limit of their own.
     *
     * <p>The first 32 MiB are for the virtual machine itself: the stacks of its fifteen threads, its own code and
     * tables (measured: 25 MiB). The heap gets 10/16 of the rest. Classes get 3/16, at most 256 MiB, since few programs
     * need more. Compiled code gets 1/16, at least 4 MiB, the minimum for a start, and at most 48, the default of the
     * first compiler. Direct buffers get 1/16. The last 1/16 is for memory without a limit of its own, such as further
     * threads.
     */
    static List<String> memoryOptions(int maxMemoryMb) {
        var part = (maxMemoryMb - 32) / 16.0;
        return List.of(
                "-Xms8m",
                "-Xmx%dm".formatted((int) (10 * part)),
                "-XX:MaxMetaspaceSize=%dm".formatted(Math.min(256, (int) (3 * part))),
                "-XX:ReservedCodeCacheSize=%dm".formatted(Math.max(4, Math.min(48, (int) part))),
                "-XX:MaxDirectMemorySize=%dm".formatted((int) part),
                "-XX:+ExitOnOutOfMemoryError");
    }

    /** The class path and module path of this process. A worker always runs on the class path. */
    private static List<Path> ownClassPath() {
        return Stream.concat(
                        places("java.class.path"), places("jdk.module.path").flatMap(WorkerCommandFactory::jars))
                .map(Path::toAbsolutePath)
                .toList();
    }

    private static Stream<Path> places(String property) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty(property, ""))
                .filter(place -> !place.isEmpty())
                .map(Path::of);
    }

    /** The jars of a folder on the module path; the path itself if it is a jar or a folder of classes. */
    private static Stream<Path> jars(Path place) {
        var jars = place.toFile().listFiles((folder, name) -> name.endsWith(".jar"));
        return jars == null || jars.length == 0
                ? Stream.of(place)
                : Arrays.stream(jars).map(File::toPath);
    }

    private static List<Path> withNeededClasses(List<Path> configured) {
        return Stream.concat(
                        configured.stream().map(Path::toAbsolutePath),
                        NEEDED_CLASSES.stream().map(WorkerCommandFactory::locate))
                .distinct()
                .toList();
    }

    private static Path locate(String className) {
        try {
            var type = Class.forName(className, false, WorkerCommandFactory.class.getClassLoader());
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException | ClassNotFoundException unknown) {
            throw new IllegalStateException("cannot locate the class '%s' on disk".formatted(className), unknown);
        }
    }
}

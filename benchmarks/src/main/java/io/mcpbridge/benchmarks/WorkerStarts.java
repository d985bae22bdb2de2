package io.mcpbridge.benchmarks;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.sandbox.worker.WorkerOptions;
import io.mcpbridge.sandbox.worker.WorkerPool;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** How long a worker takes until it is warm, with an archive of its classes and without one, in turn. */
final class WorkerStarts {
    private static final int STARTS = 15;
    private static final long LOOK_EVERY_NANOS = 200_000;

    private WorkerStarts() {}

    /** Archives need their classes in a jar, so there is one in this folder, beside the archive. */
    static void compare(Path folder) throws Exception {
        var jar = jar(folder.resolve("worker.jar"));
        makeArchive(jar, folder);
        var without = new Spans();
        var with = new Spans();
        for (int i = 0; i < STARTS; i++) {
            without.measure(1, () -> start(jar, folder.resolve("worker.jar")));
            with.measure(1, () -> start(jar, folder));
        }
        Goals.say("");
        Goals.say("%d starts of a plain process each, until it has run its warming calls, medians of one by one"
                .formatted(STARTS));
        Goals.say("| start | p50 us |");
        Goals.say("|---|---|");
        Goals.say("| without an archive | %.0f |".formatted(without.at(0.5)));
        Goals.say("| with the archive | %.0f |".formatted(with.at(0.5)));
    }

    /** Archives are looked for below {@code cache}, and cannot be there where that is a file. */
    private static void start(Path jar, Path cache) {
        withPool(jar, cache, pool -> await(() -> pool.state().idle() == 1));
    }

    private static void makeArchive(Path jar, Path cache) {
        withPool(jar, cache, pool -> await(() -> hasArchive(cache.resolve("mcp-bridge"))));
    }

    private static void withPool(Path jar, Path cache, Consumer<WorkerPool> work) {
        var options = WorkerOptions.builder().classPath(List.of(jar)).build();
        try (var environment = StandardEnvironment.open(Map.of("XDG_CACHE_HOME", cache.toString()));
                var pool = WorkerPool.open(options, environment.environment())) {
            var unused = pool.handler(WorkerCalls.Repeat.class);
            work.accept(pool);
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private static boolean hasArchive(Path folder) {
        try (var files = Files.list(folder)) {
            return files.anyMatch(file -> file.toString().endsWith(".jsa"));
        } catch (IOException none) {
            return false;
        }
    }

    private static Path jar(Path file) throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(file))) {
            var places = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
            while (places.hasMoreTokens()) {
                add(jar, Path.of(places.nextToken()));
            }
        }
        return file;
    }

    private static void add(JarOutputStream jar, Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            return;
        }
        try (var files = Files.walk(place)) {
            for (var file : files.filter(each -> isNeeded(place.relativize(each).toString()))
                    .toList()) {
                jar.putNextEntry(new JarEntry(place.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
    }

    private static boolean isNeeded(String name) {
        return name.endsWith(".class")
                && (name.startsWith("io/mcpbridge/sandbox/worker/")
                        || name.startsWith("io/mcpbridge/serve/schema/")
                        || name.startsWith("io/mcpbridge/benchmarks/WorkerCalls"));
    }
}

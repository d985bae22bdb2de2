package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.spi.AuditSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Keeps trails under load of some writers in a process of its own, and says on its standard output what is durable. */
public final class TrailChild {
    private static final int WRITERS = 8;

    private TrailChild() {}

    /**
     * What starts it.
     *
     * @param folders each with a trail
     * @param word before each id; behind it stands which of the folders it is for
     * @param calls how many each writer makes
     */
    static List<String> command(List<Path> folders, String word, int calls) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                TrailChild.class.getName(),
                word,
                Integer.toString(calls)));
        folders.forEach(folder -> command.add(folder.toString()));
        return command;
    }

    /** Runs until all calls are made, or for ever. */
    public static void main(String[] arguments) throws Exception {
        var folders = List.of(arguments).subList(2, arguments.length);
        var calls = Integer.parseInt(arguments[1]);
        var keepers = Executors.newFixedThreadPool(folders.size());
        try (var out = new FileOutputStream(FileDescriptor.out)) {
            var kept = new ArrayList<Future<?>>();
            for (int i = 0; i < folders.size(); i++) {
                var folder = Path.of(folders.get(i));
                var word = arguments[0] + "-" + i + "-";
                kept.add(keepers.submit(() -> {
                    keep(folder, word, Math.max(3, WRITERS / folders.size()), (sink, id) -> call(sink, id, calls, out));
                    return null;
                }));
            }
            for (var each : kept) {
                each.get();
            }
        } finally {
            keepers.shutdownNow();
        }
    }

    private interface Work {
        void callOften(AuditSink sink, String name);
    }

    private static void keep(Path folder, String word, int writers, Work work) throws InterruptedException {
        try (var trail = TestTrail.in(folder).with("mode", "required").with("segment-size", "64KiB");
                var sink = trail.open()) {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < writers; i++) {
                var name = word + i + "-";
                var thread = new Thread(() -> work.callOften(sink, name), name);
                threads.add(thread);
                thread.start();
            }
            for (var thread : threads) {
                thread.join();
            }
        }
    }

    private static void call(AuditSink sink, String name, int calls, FileOutputStream out) {
        for (int i = 0; i < calls; i++) {
            var id = name + i;
            try {
                TestTrail.enter(sink, id).join();
                say(out, id + "-enter");
                TestTrail.exit(sink, id).join();
                say(out, id + "-exit");
            } catch (CompletionException refused) {
                say(out, "refused " + refused.getMessage());
            }
        }
    }

    /** One write a line: what a killed process said is whole but for its last line. */
    private static void say(FileOutputStream out, String line) {
        try {
            out.write((line + "\n").getBytes(UTF_8));
        } catch (IOException nobodyListens) {
            Runtime.getRuntime().halt(1);
        }
    }
}

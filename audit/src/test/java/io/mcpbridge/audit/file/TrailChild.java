package io.mcpbridge.audit.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/** Keeps a trail under load of eight writers in a process of its own, and says on its standard output what is durable. */
public final class TrailChild {
    private static final int WRITERS = 8;

    private TrailChild() {}

    /** What starts it: with the folder, the size of segments, a word before each id, and how many calls each writer makes. */
    static List<String> command(Path folder, String word, int calls) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                TrailChild.class.getName(),
                folder.toString(),
                word,
                Integer.toString(calls));
    }

    /** Runs until all calls are made, or for ever. */
    public static void main(String[] arguments) throws Exception {
        try (var trail = TestTrail.in(Path.of(arguments[0]))
                        .with("mode", "required")
                        .with("segment-size", "64KiB");
                var sink = trail.open();
                var out = new FileOutputStream(FileDescriptor.out)) {
            var writers = new ArrayList<Thread>();
            for (int i = 0; i < WRITERS; i++) {
                var name = arguments[1] + "-" + i + "-";
                var writer = new Thread(() -> call(sink, name, Integer.parseInt(arguments[2]), out), name);
                writers.add(writer);
                writer.start();
            }
            for (var writer : writers) {
                writer.join();
            }
        }
    }

    private static void call(FileAuditSink sink, String name, int calls, FileOutputStream out) {
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

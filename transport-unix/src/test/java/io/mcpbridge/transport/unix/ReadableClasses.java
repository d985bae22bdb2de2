package io.mcpbridge.transport.unix;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of the tests with our own classes in a jar, as they are delivered: from a folder each class takes a
 * descriptor to load, and folders of ours need not be open to other users.
 */
final class ReadableClasses {
    private final List<String> ours = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    private ReadableClasses() {}

    /** Creates the jar in this folder. */
    static ReadableClasses in(Path folder) throws IOException {
        var made = new ReadableClasses();
        var jar = folder.resolve("classes.jar");
        made.ours.add(jar.toString());
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(0);
            for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                made.add(Path.of(entry), folder, out);
            }
        }
        return made;
    }

    /** Our own classes alone. */
    String ours() {
        return String.join(File.pathSeparator, ours);
    }

    /** Everything. */
    String all() {
        return ours() + File.pathSeparator + String.join(File.pathSeparator, others);
    }

    private void add(Path entry, Path folder, ZipOutputStream out) throws IOException {
        var name = String.valueOf(entry.getFileName());
        if (Files.isDirectory(entry)) {
            addClasses(entry, out);
        } else if (name.startsWith("mcp-bridge-")) {
            ours.add(Files.copy(entry, folder.resolve(name)).toString());
        } else {
            others.add(entry.toString());
        }
    }

    private static void addClasses(Path classes, ZipOutputStream out) throws IOException {
        var root = classes.resolve("io/mcpbridge");
        if (!Files.isDirectory(root)) {
            return;
        }
        List<Path> files;
        try (var all = Files.walk(root)) {
            files = all.filter(file -> file.toString().endsWith(".class")).toList();
        }
        for (var file : files) {
            out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
            Files.copy(file, out);
        }
    }
}

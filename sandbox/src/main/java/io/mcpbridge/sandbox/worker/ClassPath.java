package io.mcpbridge.sandbox.worker;

import io.mcpbridge.serve.schema.PlainForm;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** Where the classes of workers are. */
record ClassPath(List<Path> places) {

    /** That of this process, or the one that was asked for, with what a worker needs itself. */
    static ClassPath of(WorkerOptions options) {
        return options.classPath().isEmpty() ? ofThisProcess() : withOurs(options.classPath());
    }

    private static ClassPath ofThisProcess() {
        return new ClassPath(Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(place -> !place.isEmpty())
                .map(place -> Path.of(place).toAbsolutePath())
                .toList());
    }

    private static ClassPath withOurs(List<Path> places) {
        var all = new LinkedHashSet<Path>();
        places.forEach(place -> all.add(place.toAbsolutePath()));
        for (var ours : List.of(SandboxedTool.class, PlainForm.class)) {
            var name = ours.getName().replace('.', '/') + ".class";
            if (all.stream().noneMatch(place -> holds(place, name))) {
                all.add(placeOf(ours));
            }
        }
        return new ClassPath(List.copyOf(all));
    }

    private static boolean holds(Path place, String file) {
        if (!Files.isRegularFile(place)) {
            return Files.exists(place.resolve(file));
        }
        try (var jar = new ZipFile(place.toFile())) {
            return jar.getEntry(file) != null;
        } catch (IOException noJar) {
            return false;
        }
    }

    private static Path placeOf(Class<?> ours) {
        try {
            return Path.of(
                    ours.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException broken) {
            throw new IllegalStateException("cannot tell where '%s' is".formatted(ours.getName()), broken);
        }
    }
}

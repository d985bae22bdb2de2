package io.mcpbridge.sandbox.worker;

import io.mcpbridge.serve.schema.PlainForm;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

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
        all.add(placeOf(SandboxedTool.class));
        all.add(placeOf(PlainForm.class));
        return new ClassPath(List.copyOf(all));
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

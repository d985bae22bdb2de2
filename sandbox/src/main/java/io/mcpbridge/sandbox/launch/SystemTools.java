package io.mcpbridge.sandbox.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds programs on a search path, anew each time, since they may be installed while the bridge runs. */
record SystemTools(List<Path> folders) {

    static SystemTools on(String searchPath) {
        return new SystemTools(Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(searchPath)
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .filter(Path::isAbsolute)
                .toList());
    }

    Optional<Path> find(String name) {
        return folders.stream()
                .map(folder -> folder.resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /** The path of a program that {@link #find} has found before. */
    String path(String name) {
        return find(name).map(Path::toString).orElse(name);
    }

    /** The words that run a script, which executes the words after them; {@code name} is that of its process. */
    List<String> shell(String script, String name) {
        return List.of(path("sh"), "-c", script, name);
    }

    /** Names the first missing program and the package to install; empty if none is missing. */
    Optional<String> missing(String artifact, String... names) {
        for (var name : names) {
            if (find(name).isEmpty()) {
                return Optional.of("'%s' is not on the search path; install %s".formatted(name, artifact));
            }
        }
        return Optional.empty();
    }
}

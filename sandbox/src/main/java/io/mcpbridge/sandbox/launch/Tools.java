package io.mcpbridge.sandbox.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Programs where a search path has them; found anew each time, since they may be installed while we run. */
final class Tools {
    private final List<Path> folders;

    private Tools(List<Path> folders) {
        this.folders = folders;
    }

    static Tools on(String searchPath) {
        return new Tools(Pattern.compile(File.pathSeparator, Pattern.LITERAL)
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

    /** One that {@link #find} found before. */
    String path(String name) {
        return find(name).map(Path::toString).orElse(name);
    }

    /** Which of these are not there, and how to come by them; empty if all are. */
    Optional<String> missing(String artifact, String... names) {
        for (var name : names) {
            if (find(name).isEmpty()) {
                return Optional.of("'%s' is not on the search path; install %s".formatted(name, artifact));
            }
        }
        return Optional.empty();
    }
}

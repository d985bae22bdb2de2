package io.mcpbridge.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds processes that hold the standard streams of a child, and so stem from it.
 *
 * <p>Processes that a child left behind when it crashed are no longer its descendants, but they still have
 * the pipes that they inherited. On systems without {@code /proc} nothing is found.
 */
final class PipeHolders {
    private static final Path PROCESSES = Path.of("/proc");
    private static final List<String> STANDARD_STREAMS = List.of("0", "1", "2");
    private static final long OURSELVES = ProcessHandle.current().pid();

    private final Set<String> pipes;

    private PipeHolders(Set<String> pipes) {
        this.pipes = Set.copyOf(pipes);
    }

    /** Remembers the pipes that {@code child} has, right after it was started. */
    static PipeHolders of(ProcessHandle child) {
        return new PipeHolders(pipes(PROCESSES.resolve(Long.toString(child.pid()))));
    }

    /** Every process that holds one of the pipes, save ourselves at their other ends. */
    List<ProcessHandle> find() {
        var found = new ArrayList<ProcessHandle>();
        if (pipes.isEmpty()) {
            return found;
        }
        try (var folders = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                holder(folder).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // What was found so far is better than nothing.
        }
        return found;
    }

    /** The handle is taken before the look, so that it cannot mean a later process of the same number. */
    private Optional<ProcessHandle> holder(Path folder) {
        var pid = Long.parseLong(folder.getFileName().toString());
        if (pid == OURSELVES) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid).filter(process -> pipes(folder).stream().anyMatch(pipes::contains));
    }

    private static Set<String> pipes(Path folder) {
        var links = new HashSet<String>();
        STANDARD_STREAMS.stream()
                .flatMap(stream -> target(folder.resolve("fd").resolve(stream)))
                .filter(target -> target.startsWith("pipe:"))
                .forEach(links::add);
        return links;
    }

    private static Stream<String> target(Path link) {
        try {
            return Stream.of(Files.readSymbolicLink(link).toString());
        } catch (IOException | UnsupportedOperationException gone) {
            return Stream.empty();
        }
    }
}

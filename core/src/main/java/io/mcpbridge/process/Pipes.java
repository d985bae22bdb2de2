package io.mcpbridge.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The pipes behind the standard streams of a process, by the names that the system gives them.
 *
 * @param names none on systems without {@code /proc}, or where the process is another user's
 */
record Pipes(Set<String> names) {
    static final Path PROCESSES = Path.of("/proc");

    private static final int STANDARD_STREAMS = 3;

    Pipes {
        names = Set.copyOf(names);
    }

    static Pipes of(long pid) {
        var streams = PROCESSES.resolve(pid + "/fd");
        var names = new HashSet<String>();
        for (int i = 0; i < STANDARD_STREAMS; i++) {
            try {
                var target = Files.readSymbolicLink(streams.resolve(Integer.toString(i)));
                if (target.toString().startsWith("pipe:")) {
                    names.add(target.toString());
                }
            } catch (AccessDeniedException foreign) {
                break;
            } catch (IOException | UnsupportedOperationException closed) {
                // A process need not have all three.
            }
        }
        return new Pipes(names);
    }

    boolean shareOneOf(Set<String> others) {
        return names.stream().anyMatch(others::contains);
    }
}

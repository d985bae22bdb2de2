package io.mcpbridge.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Starts programs in a session of their own, by {@code setsid} of util-linux, so that the keys of our terminal do not
 * reach them. It becomes the program, so process id and parent stay what they are without it.
 *
 * <p>Only for programs that will start as far as can be told, since what {@code setsid} says of others is worse than
 * what the JDK says.
 */
final class OwnSession {
    private static final List<Path> PLACES = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));
    private static final int LONGEST_INTERPRETER = 256;

    private OwnSession() {}

    /** What stands before the words of a command; nothing where there is no {@code setsid} or no such program. */
    static List<String> prefix(Path program) {
        return PLACES.stream()
                .filter(Files::isExecutable)
                .filter(unused -> starts(program))
                .findFirst()
                .map(setsid -> List.of(setsid.toString(), "--"))
                .orElse(List.of());
    }

    private static boolean starts(Path program) {
        return refusal(program).isEmpty();
    }

    /** Why the system would not start it, in its own words; empty if it would, as far as can be told. */
    static Optional<String> refusal(Path program) {
        if (!Files.exists(program)) {
            return Optional.of("No such file or directory");
        }
        if (!isExecutable(program)) {
            return Optional.of("Permission denied");
        }
        return interpreter(program).filter(runs -> !isExecutable(runs)).map(runs -> "No such file or directory");
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** Who runs a script, as its first line says. */
    private static Optional<Path> interpreter(Path program) {
        try (var in = Files.newInputStream(program)) {
            var head = new String(in.readNBytes(LONGEST_INTERPRETER), StandardCharsets.ISO_8859_1);
            if (!head.startsWith("#!")) {
                return Optional.empty();
            }
            var words = head.substring(2).strip().split("\\s", 2);
            return Optional.of(Path.of(words[0]));
        } catch (IOException | InvalidPathException unreadable) {
            // A program may be executable and not readable, or name no file that can be.
            return Optional.empty();
        }
    }
}

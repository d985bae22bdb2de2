package io.mcpbridge.testkit.faulty;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Counts the starts of a {@link FaultyServer} and the executions of its tool {@code count} for each key. Any thread and
 * any process may read and write one folder at the same time.
 *
 * <p>An execution is recorded before it is answered, so that a test can compare real executions with reported ones.
 */
public final class ExecutionCounter {
    private final Path starts;
    private final Path executions;

    private ExecutionCounter(Path folder) {
        starts = folder.resolve("starts");
        executions = folder.resolve("executions");
    }

    /** Returns the counter in an existing folder. */
    public static ExecutionCounter in(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("'%s' is no folder; make it first".formatted(folder));
        }
        return new ExecutionCounter(folder);
    }

    /** The number of starts. */
    public int starts() {
        return lines(starts).size();
    }

    /** The number of executions of {@code count} for this key. */
    public int executions(String key) {
        return executions().getOrDefault(key, 0L).intValue();
    }

    /** The number of executions of {@code count} for each key. */
    public Map<String, Long> executions() {
        return lines(executions).stream().collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    }

    int started() {
        append(starts, Long.toString(ProcessHandle.current().pid()));
        return starts();
    }

    int executed(String key) {
        append(executions, key.replace("\n", " "));
        return executions(key);
    }

    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file)
                    ? Files.readString(file, StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

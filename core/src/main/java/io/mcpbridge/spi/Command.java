package io.mcpbridge.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to start a child: the program, its arguments, its whole environment and its folder.
 *
 * <p>{@link #toString} shows the program alone, since arguments and variables may be secrets.
 */
public final class Command {
    private final List<String> words;
    private final Map<String, String> variables;
    private final @Nullable Path folder;

    private Command(List<String> words, Map<String, String> variables, @Nullable Path folder) {
        this.words = words;
        this.variables = variables;
        this.folder = folder;
    }

    /**
     * A command in our own working folder.
     *
     * @param words the program and its arguments; at least the program, none with a NUL character
     * @param variables the child's whole environment
     */
    public static Command of(List<String> words, Map<String, String> variables) {
        if (words.isEmpty() || words.get(0).isBlank()) {
            throw new IllegalArgumentException("a command needs a program, but is " + words);
        }
        return new Command(List.copyOf(words), Map.copyOf(variables), null);
    }

    public Command inFolder(Path newFolder) {
        return new Command(words, variables, newFolder);
    }

    public String program() {
        return words.get(0);
    }

    public List<String> words() {
        return words;
    }

    public Map<String, String> variables() {
        return variables;
    }

    public Optional<Path> folder() {
        return Optional.ofNullable(folder);
    }

    @Override
    public String toString() {
        return program();
    }
}

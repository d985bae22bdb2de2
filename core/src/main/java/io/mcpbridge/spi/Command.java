package io.mcpbridge.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to start a child: the program, its arguments, its whole environment, its folder and what it may use.
 *
 * <p>{@link #toString} shows the program alone, since arguments and variables may be secrets.
 */
public final class Command {
    private final List<String> words;
    private final Map<String, String> variables;
    private final @Nullable Path folder;
    private final Limits limits;
    private final @Nullable SandboxLevel level;
    private final Wrapper wrapper;

    private Command(
            List<String> words,
            Map<String, String> variables,
            @Nullable Path folder,
            Limits limits,
            @Nullable SandboxLevel level,
            Wrapper wrapper) {
        this.words = words;
        this.variables = variables;
        this.folder = folder;
        this.limits = limits;
        this.level = level;
        this.wrapper = wrapper;
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
        return new Command(List.copyOf(words), Map.copyOf(variables), null, Limits.NONE, null, Wrapper.NONE);
    }

    public Command inFolder(Path newFolder) {
        return new Command(words, variables, newFolder, limits, level, wrapper);
    }

    /** The same within other limits. */
    public Command within(Limits newLimits) {
        return new Command(words, variables, folder, newLimits, level, wrapper);
    }

    /** The same at this very level, or at the one that its limits need where that is higher. */
    public Command requiring(SandboxLevel newLevel) {
        return new Command(words, variables, folder, limits, newLevel, wrapper);
    }

    /**
     * What a plain launcher starts for one that has its own means to hold the child: {@code words} come before the program
     * and become it, and limits and level are theirs to hold. A program that is not there is refused as it is without them.
     */
    public Command through(List<String> words) {
        return new Command(this.words, variables, folder, Limits.NONE, null, new Wrapper(words, false));
    }

    /** The same where they stay, as the parent of the program: what asks the child to end does not ask them. */
    public Command guardedBy(List<String> words) {
        return new Command(this.words, variables, folder, Limits.NONE, null, new Wrapper(words, true));
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

    /** What it may use. */
    public Limits limits() {
        return limits;
    }

    /** The level that it requires; empty where the launcher chooses. */
    public Optional<SandboxLevel> level() {
        return Optional.ofNullable(level);
    }

    /** What comes before the program. */
    public Wrapper wrapper() {
        return wrapper;
    }

    @Override
    public String toString() {
        return program();
    }

    /**
     * Words before the program of a command.
     *
     * @param words none where the program is started as it is
     * @param stays whether what they start is the program's parent rather than becoming the program
     */
    public record Wrapper(List<String> words, boolean stays) {
        static final Wrapper NONE = new Wrapper(List.of(), false);

        public Wrapper {
            words = List.copyOf(words);
        }

        public boolean isNone() {
            return words.isEmpty();
        }
    }
}

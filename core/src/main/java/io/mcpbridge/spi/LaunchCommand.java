package io.mcpbridge.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How to start a child: the program, its arguments, its whole environment, its folder and what it may use.
 *
 * <p>{@link #toString} shows the program alone, since arguments and variables may be secrets.
 *
 * @param words the program and its arguments; at least the program, none with a NUL character
 * @param variables the child's whole environment
 * @param folder its working folder; empty for ours
 * @param level the level that it requires; empty where the launcher chooses
 * @param wrapper the wrapper in front of the program
 */
public record LaunchCommand(
        List<String> words,
        Map<String, String> variables,
        Optional<Path> folder,
        ProcessLimits limits,
        Optional<SandboxLevel> level,
        Wrapper wrapper) {

    public LaunchCommand {
        if (words.isEmpty() || words.get(0).isBlank()) {
            throw new IllegalArgumentException("a command needs a program, but is " + words);
        }
        words = List.copyOf(words);
        variables = Map.copyOf(variables);
    }

    /** A command in our own working folder, without limits. */
    public static LaunchCommand of(List<String> words, Map<String, String> variables) {
        return new LaunchCommand(
                words, variables, Optional.empty(), ProcessLimits.NONE, Optional.empty(), Wrapper.NONE);
    }

    public LaunchCommand inFolder(Path newFolder) {
        return new LaunchCommand(words, variables, Optional.of(newFolder), limits, level, wrapper);
    }

    /** The same within other limits. */
    public LaunchCommand within(ProcessLimits newLimits) {
        return new LaunchCommand(words, variables, folder, newLimits, level, wrapper);
    }

    /** The same at this very level, or at the one that its limits need where that is higher. */
    public LaunchCommand requiring(SandboxLevel newLevel) {
        return new LaunchCommand(words, variables, folder, limits, Optional.of(newLevel), wrapper);
    }

    /**
     * The command that a plain launcher starts for one that confines the child by other means: {@code words} come before the
     * program and become it, and enforce limits and level. A missing program is rejected as it is without them.
     */
    public LaunchCommand through(List<String> words) {
        return new LaunchCommand(
                this.words, variables, folder, ProcessLimits.NONE, Optional.empty(), new Wrapper(words, false));
    }

    /** The same where they stay, as the parent of the program: what asks the child to end does not ask them. */
    public LaunchCommand guardedBy(List<String> words) {
        return new LaunchCommand(
                this.words, variables, folder, ProcessLimits.NONE, Optional.empty(), new Wrapper(words, true));
    }

    public String program() {
        return words.get(0);
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

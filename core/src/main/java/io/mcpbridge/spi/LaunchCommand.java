package io.mcpbridge.spi;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command that starts a child process: program, arguments, environment, working folder and limits.
 *
 * <p>{@link #toString} shows the program alone, since arguments and variables may be secrets.
 *
 * @param words the program and its arguments; at least the program, none with a NUL character
 * @param variables the child's whole environment
 * @param folder its working folder; empty for that of this process
 * @param level the level that it requires; empty if the launcher chooses
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

    /** A command in the working folder of this process, without limits. */
    public static LaunchCommand of(List<String> words, Map<String, String> variables) {
        return new LaunchCommand(
                words, variables, Optional.empty(), ProcessLimits.NONE, Optional.empty(), Wrapper.NONE);
    }

    public LaunchCommand inFolder(Path newFolder) {
        return new LaunchCommand(words, variables, Optional.of(newFolder), limits, level, wrapper);
    }

    /** A copy with other limits. */
    public LaunchCommand within(ProcessLimits newLimits) {
        return new LaunchCommand(words, variables, folder, newLimits, level, wrapper);
    }

    /** A copy that requires this level, or the level that its limits need if that is higher. */
    public LaunchCommand requiring(SandboxLevel newLevel) {
        return new LaunchCommand(words, variables, folder, limits, Optional.of(newLevel), wrapper);
    }

    /**
     * A copy for a plain launcher, with a wrapper before the program. The wrapper {@code words} enforces limits and
     * level, and then becomes the program. A missing program is rejected as it is without a wrapper.
     */
    public LaunchCommand through(List<String> words) {
        return new LaunchCommand(
                this.words, variables, folder, ProcessLimits.NONE, Optional.empty(), new Wrapper(words, false));
    }

    /**
     * A copy like {@link #through}, whose wrapper stays as the parent of the program. A request to end reaches the
     * program and not the wrapper.
     */
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
     * A wrapper command before the program.
     *
     * @param words the wrapper and its arguments; empty for none
     * @param stays whether the wrapper stays as the parent of the program instead of becoming the program
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

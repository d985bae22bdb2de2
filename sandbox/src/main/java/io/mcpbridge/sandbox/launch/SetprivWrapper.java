package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sandbox level L1: the kernel kills the child when the thread that started it ends, and the child cannot gain
 * privileges.
 */
record SetprivWrapper(SystemTools tools) implements CommandWrapper {

    @Override
    public String name() {
        return "setpriv";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("util-linux", "setpriv", "prlimit", "sh");
    }

    @Override
    public LaunchCommand wrap(LaunchCommand command) {
        var words = new ArrayList<>(words(tools));
        words.addAll(ParentCheck.words(tools));
        words.addAll(PrlimitCommand.words(tools, command.limits()));
        words.addAll(DeferredVariables.words(tools, command));
        return DeferredVariables.of(command).through(words);
    }

    /** The words that make the kernel kill the child. */
    static List<String> words(SystemTools tools) {
        return List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--no-new-privs", "--");
    }
}

package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** L1: the system kills the child when the thread that started it ends, and the child gains no rights. */
final class ParentDeath implements Means {
    private final Tools tools;

    ParentDeath(Tools tools) {
        this.tools = tools;
    }

    @Override
    public String name() {
        return "setpriv";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("util-linux", "setpriv", "prlimit", "sh");
    }

    @Override
    public Command wrap(Command command) {
        var words = new ArrayList<>(words(tools));
        words.addAll(Lifeline.words(tools));
        words.addAll(Rlimits.words(tools, command.limits()));
        words.addAll(LateVariables.words(tools, command));
        return LateVariables.of(command).through(words);
    }

    /** Of these alone. */
    static List<String> words(Tools tools) {
        return List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--no-new-privs", "--");
    }
}

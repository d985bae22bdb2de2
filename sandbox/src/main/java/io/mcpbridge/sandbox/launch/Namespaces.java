package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** L2: process numbers of their own by {@code unshare}. */
final class Namespaces implements Means {
    private final Tools tools;
    private final boolean isRoot;

    /** Root needs no user namespace, and keeps its rights without one. */
    Namespaces(Tools tools, boolean isRoot) {
        this.tools = tools;
        this.isRoot = isRoot;
    }

    @Override
    public String name() {
        return "unshare";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("util-linux", "setpriv", "prlimit", "unshare", "sh");
    }

    @Override
    public Command wrap(Command command) {
        var words = new ArrayList<>(ParentDeath.words(tools));
        words.addAll(Lifeline.outside(tools));
        words.add(tools.path("unshare"));
        if (!isRoot) {
            words.addAll(List.of("--user", "--map-current-user"));
        }
        words.addAll(List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave", "--"));
        words.addAll(Lifeline.inside(tools));
        words.addAll(Kernel.limitWords(tools, command.limits(), isRoot));
        words.addAll(LateVariables.words(tools, command));
        return LateVariables.of(command).guardedBy(words);
    }
}

package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sandbox level L2: a process namespace by {@code unshare}.
 *
 * @param isRoot whether the bridge runs as root, which needs no user namespace and keeps its rights without one
 */
record UnshareWrapper(SystemTools tools, boolean isRoot) implements CommandWrapper {

    @Override
    public String name() {
        return "unshare";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("util-linux", "setpriv", "prlimit", "unshare", "sh");
    }

    @Override
    public LaunchCommand wrap(LaunchCommand command) {
        var words = new ArrayList<>(SetprivWrapper.words(tools));
        words.addAll(ParentCheck.outside(tools));
        words.add(tools.path("unshare"));
        if (!isRoot) {
            words.addAll(List.of("--user", "--map-current-user"));
        }
        words.addAll(List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave", "--"));
        words.addAll(ParentCheck.inside(tools));
        words.addAll(PrlimitCommand.wordsInNamespace(tools, command.limits(), isRoot));
        words.addAll(DeferredVariables.words(tools, command));
        return DeferredVariables.of(command).guardedBy(words);
    }
}

package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * L2: process numbers of their own by {@code unshare}.
 *
 * <p>A shell is the first process there, since that one has to collect those that lost their parents, and does not get
 * signals that it does not ask for. What it says itself of a child that was killed is nobody's business.
 */
final class Namespaces implements Means {
    private static final String INIT = "exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; exit $?";

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
        words.add(tools.path("unshare"));
        if (!isRoot) {
            words.addAll(List.of("--user", "--map-current-user"));
        }
        words.addAll(List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave", "--"));
        words.addAll(List.of(tools.path("sh"), "-c", INIT, "mcp-bridge-init"));
        words.addAll(Kernel.limitWords(tools, command.limits(), isRoot));
        return command.guardedBy(words);
    }
}
